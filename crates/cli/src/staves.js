// Reads a list of melodies in Plaine & Easie from standard input, and writes a list of their staves as SVG.
// Exits with 3 where Verovio is not to be found.
const path = require("node:path");
const { pathToFileURL } = require("node:url");

async function toolkit() {
  const given = process.argv[1];
  let folder;
  try {
    folder = given ? path.resolve(given, "dist") : path.dirname(require.resolve("verovio"));
  } catch {
    process.exit(3);
  }
  const load = (file) => import(pathToFileURL(path.join(folder, file)).href);
  const [{ default: start }, { VerovioToolkit }] = [
    await load("verovio-module.mjs"),
    await load("verovio.mjs"),
  ];
  return new VerovioToolkit(await start());
}

async function main() {
  const verovio = await toolkit();
  let text = "";
  for await (const piece of process.stdin) text += piece;
  const engraved = JSON.parse(text).map((melody) => {
    verovio.setOptions({
      inputFrom: "pae",
      adjustPageHeight: true,
      adjustPageWidth: true,
      breaks: "auto",
      footer: "none",
      header: "none",
      pageHeight: 60000,
      pageWidth: 1800,
      scale: 50,
      svgViewBox: true,
      // The same names for the parts of a picture every time.
      xmlIdSeed: 1,
    });
    if (!verovio.loadData(melody)) throw new Error("a melody was not understood");
    return verovio.renderToSVG(1);
  });
  process.stdout.write(JSON.stringify(engraved));
}

main().catch((error) => {
  console.error(String(error.message ?? error));
  process.exitCode = 1;
});
