//! Load generator for `bench/run server`. It simulates many assessors, each of whom answers a task,
//! waits for the acknowledgement, requests the next task and optionally pauses. It uses one thread,
//! one connection per assessor and a minimal HTTP client, so that the server is measured and not
//! the client.
//!
//!     bench_server partita HOST:PORT TOKENS SECONDS PAUSE
//!     bench_server potato HOST:PORT JUDGES SECONDS PAUSE
//!     bench_server commits postgres://.. SECONDS
//!
//! TOKENS is a file with one assessor's token per line, and JUDGES is the number of assessors.
//! PAUSE is the mean of the exponentially distributed pauses, in seconds. `partita` and `potato` measure
//! two kinds of judging servers. `commits` measures PostgreSQL without a server: it writes single
//! rows over one connection, each in its own transaction. The result is one line of JSON. Times
//! until a response are in milliseconds.

use std::io::Write as _;
use std::time::{Duration, Instant};

use partita::stats::random::{RandomStream, stream, uniform};
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use tokio::net::TcpStream;

/// Error of any kind, which ends the program.
type BenchError = Box<dyn std::error::Error>;

fn main() -> Result<(), BenchError> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let local = tokio::task::LocalSet::new();
    let result = local.block_on(&runtime, async {
        match given[..] {
            ["partita", address, tokens, seconds, pause] => {
                let tokens = std::fs::read_to_string(tokens)?;
                let judges = tokens.lines().map(|token| Partita {
                    token: token.to_owned(),
                });
                measure_load(address, judges, seconds.parse()?, pause.parse()?).await
            }
            ["potato", address, judges, seconds, pause] => {
                let judges = (0..judges.parse()?).map(|number| Potato {
                    name: format!("judge{number}"),
                    cookie: String::new(),
                });
                measure_load(address, judges, seconds.parse()?, pause.parse()?).await
            }
            ["commits", database, seconds] => measure_commits(database, seconds.parse()?).await,
            _ => Err("invalid arguments: see the usage in bench_server.rs".into()),
        }
    })?;
    writeln!(std::io::stdout(), "{result}")?;
    Ok(())
}

/// Persistent connection to the server.
struct Connection {
    address: String,
    stream: TcpStream,
    /// Bytes of the current response.
    received: Vec<u8>,
    is_closed: bool,
}

/// Response of the server.
struct Response<'l> {
    status: u16,
    head: &'l str,
    body: &'l str,
}

impl Connection {
    async fn open(address: &str) -> Result<Self, BenchError> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            address: address.to_owned(),
            stream,
            received: Vec::new(),
            is_closed: false,
        })
    }

    /// Sends a request and waits for the complete response.
    async fn send(&mut self, request: &str) -> Result<Response<'_>, BenchError> {
        if self.is_closed {
            *self = Self::open(&self.address.clone()).await?;
        }
        let mut rest = request.as_bytes();
        while !rest.is_empty() {
            match self.stream.try_write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    self.stream.writable().await?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.received.clear();
        let mut whole = None;
        while whole.is_none_or(|(_, end)| self.received.len() < end) {
            self.stream.readable().await?;
            match self.stream.try_read_buf(&mut self.received) {
                Ok(0) => return Err("the server hung up".into()),
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => continue,
                Err(error) => return Err(error.into()),
            }
            if whole.is_none() {
                whole = find_body(&self.received)?;
            }
        }
        let (head, end) = whole.ok_or("a response without an end")?;
        let text = std::str::from_utf8(&self.received[..end])?;
        let last = find_header(&text[..head], "connection");
        self.is_closed = last.is_some_and(|last| last.eq_ignore_ascii_case("close"));
        let status = text
            .get(9..12)
            .ok_or("the response is not HTTP/1.1")?
            .parse()?;
        Ok(Response {
            status,
            head: &text[..head],
            body: &text[head..],
        })
    }
}

/// Returns the start and end of the response body; `None` if the headers are incomplete.
fn find_body(read: &[u8]) -> Result<Option<(usize, usize)>, BenchError> {
    let Some(head) = read.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = std::str::from_utf8(&read[..head])?;
    let length = find_header(text, "content-length")
        .unwrap_or("0")
        .parse::<usize>()?;
    Ok(Some((head + 4, head + 4 + length)))
}

/// Returns the value of an HTTP header, if present.
fn find_header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().find_map(|line| {
        let (known, value) = line.split_once(':')?;
        known.eq_ignore_ascii_case(name).then_some(value.trim())
    })
}

/// Requests and responses by which an assessor judges at one kind of server.
trait AssessorProtocol: 'static {
    /// Signs the assessor in if needed, and returns the id of the first task, if any.
    async fn enter(
        &mut self,
        connection: &mut Connection,
        host: &str,
    ) -> Result<Option<String>, BenchError>;

    /// Returns the request that answers a task. `number` identifies the answer uniquely.
    fn answer_request(&self, host: &str, task: &str, number: u128) -> String;

    /// Returns true if the response acknowledges an answer.
    fn is_acknowledged(response: &Response<'_>) -> bool;

    /// Returns the request for the next task.
    fn next_task_request(&self, host: &str) -> String;

    /// Extracts the task id from the response to a request for the next task.
    fn parse_task(response: &Response<'_>) -> Option<String>;
}

/// Assessor at a Partita server.
struct Partita {
    token: String,
}

impl Partita {
    fn request(&self, method: &str, path: &str, host: &str, body: &str) -> String {
        let (token, length) = (&self.token, body.len());
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
    }
}

impl AssessorProtocol for Partita {
    async fn enter(
        &mut self,
        connection: &mut Connection,
        host: &str,
    ) -> Result<Option<String>, BenchError> {
        Ok(Self::parse_task(
            &connection.send(&self.next_task_request(host)).await?,
        ))
    }

    fn answer_request(&self, host: &str, task: &str, number: u128) -> String {
        let id = uuid::Uuid::from_u128(number);
        let answer = ["a", "b", "equal"][(number % 3) as usize];
        let body = format!(
            "{{\"task\":\"{task}\",\"seconds\":12.5,\"answer\":\"{answer}\",\"listened\":{{\"query\":{{\"plays\":1,\
             \"ended\":true}},\"a\":{{\"plays\":1,\"ended\":true}},\"b\":{{\"plays\":2,\"ended\":true}}}}}}"
        );
        self.request("PUT", &format!("/api/v1/judge/answers/{id}"), host, &body)
    }

    fn is_acknowledged(response: &Response<'_>) -> bool {
        response.status == 201
    }

    fn next_task_request(&self, host: &str) -> String {
        self.request("POST", "/api/v1/judge/next", host, "{}")
    }

    fn parse_task(response: &Response<'_>) -> Option<String> {
        let (_, rest) = response.body.split_once("\"task\":\"")?;
        let (task, _) = rest.split_once('"')?;
        (response.status == 200).then(|| task.to_owned())
    }
}

/// Assessor at a server of the annotation tool Potato.
struct Potato {
    name: String,
    cookie: String,
}

impl Potato {
    fn request(&self, path: &str, host: &str, kind: &str, body: &str) -> String {
        let (cookie, length) = (&self.cookie, body.len());
        format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\ncontent-type: {kind}\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
    }
}

impl AssessorProtocol for Potato {
    async fn enter(
        &mut self,
        connection: &mut Connection,
        host: &str,
    ) -> Result<Option<String>, BenchError> {
        let form = "application/x-www-form-urlencoded";
        let body = format!("email={}&pass=", self.name);
        let response = connection
            .send(&self.request("/auth", host, form, &body))
            .await?;
        let cookie = find_header(response.head, "set-cookie").ok_or("no session")?;
        self.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        let first = self.request("/annotate", host, form, "action=init");
        Ok(Self::parse_task(&connection.send(&first).await?))
    }

    fn answer_request(&self, host: &str, task: &str, number: u128) -> String {
        let answer = ["A", "B", "tie"][(number % 3) as usize];
        let body = format!(
            "{{\"instance_id\":\"{task}\",\"annotations\":{{\"closer:::selection\":\"{answer}\"}}}}"
        );
        self.request("/updateinstance", host, "application/json", &body)
    }

    fn is_acknowledged(response: &Response<'_>) -> bool {
        response.status == 200 && response.body.contains("\"status\":\"success\"")
    }

    fn next_task_request(&self, host: &str) -> String {
        let body = "{\"action\":\"next_instance\"}";
        self.request("/annotate", host, "application/json", body)
    }

    fn parse_task(response: &Response<'_>) -> Option<String> {
        let field = "name=\"instance_id\" type=\"hidden\" value=\"";
        let (_, rest) = response.body.split_once(field)?;
        let (task, _) = rest.split_once('"')?;
        Some(task.to_owned())
    }
}

/// Measurements of one assessor.
#[derive(Default)]
struct Measurements {
    /// Time from sending each answer until its acknowledgement, in milliseconds.
    acknowledge_millis: Vec<f64>,
    /// Time from each request for the next task until its response, in milliseconds.
    next_task_millis: Vec<f64>,
    /// Completion time of each judgment, in seconds since the start.
    completed_at: Vec<f64>,
    /// True if the assessor stopped early because there was no further task.
    ran_out_of_tasks: bool,
}

/// Lets all assessors judge for a number of seconds and returns the measured times. `pause` is the
/// mean of their pauses in seconds.
async fn measure_load<J: AssessorProtocol>(
    address: &str,
    judges: impl Iterator<Item = J>,
    seconds: f64,
    pause: f64,
) -> Result<Value, BenchError> {
    let mut entered = Vec::new();
    for mut judge in judges {
        let mut connection = Connection::open(address).await?;
        let task = judge.enter(&mut connection, address).await?;
        entered.push((judge, connection, task));
    }
    // Start value of answer ids. It is unique to this run, because it includes the process id and
    // the time.
    let run = u128::from(std::process::id()) << 64
        | Duration::as_nanos(&std::time::SystemTime::UNIX_EPOCH.elapsed()?) << 96;
    let begun = Instant::now();
    let cpu = cpu_seconds()?;
    let end = begun + Duration::from_secs_f64(seconds);
    let mut running = Vec::new();
    for (number, (judge, connection, task)) in entered.into_iter().enumerate() {
        let random = stream(7, &[number as u64]);
        let first = run | (number as u128) << 32;
        let host = address.to_owned();
        running.push(tokio::task::spawn_local(async move {
            let pauses = Pauses {
                random,
                mean_seconds: pause,
                end,
            };
            simulate_assessor(judge, connection, task, &host, first, pauses, (begun, end)).await
        }));
    }
    let mut all = Measurements::default();
    let mut idle = 0;
    for judge in running {
        let seen = judge.await?.map_err(|failure| failure.to_string())?;
        all.acknowledge_millis.extend(seen.acknowledge_millis);
        all.next_task_millis.extend(seen.next_task_millis);
        all.completed_at.extend(seen.completed_at);
        idle += u32::from(seen.ran_out_of_tasks);
    }
    let took = begun.elapsed().as_secs_f64();
    let mut tenths = vec![0_u32; 10];
    for at in &all.completed_at {
        let tenth = (at / took * 10.0) as usize;
        tenths[tenth.min(9)] += 1;
    }
    Ok(json!({
        "judgments": all.next_task_millis.len(),
        "seconds": took,
        "acknowledged": percentiles(all.acknowledge_millis),
        "next": percentiles(all.next_task_millis),
        "tenths": tenths,
        "idle": idle,
        "client_cpu": cpu_seconds()? - cpu,
    }))
}

/// Random pauses of one assessor.
struct Pauses {
    random: RandomStream,
    /// Mean of the exponentially distributed pauses, in seconds; 0 for no pauses.
    mean_seconds: f64,
    /// End of the measurement, which limits all pauses.
    end: Instant,
}

impl Pauses {
    /// Waits for a random time, but at most until the end of the measurement.
    async fn wait(&mut self) {
        if self.mean_seconds > 0.0 {
            let seconds = -(1.0 - uniform(&mut self.random)).ln() * self.mean_seconds;
            let until = Instant::now() + Duration::from_secs_f64(seconds);
            tokio::time::sleep_until(until.min(self.end).into()).await;
        }
    }
}

/// Lets one assessor answer tasks until the end of the measurement; returns the measured times.
async fn simulate_assessor<J: AssessorProtocol>(
    judge: J,
    mut connection: Connection,
    first: Option<String>,
    host: &str,
    mut number: u128,
    mut pauses: Pauses,
    (begun, end): (Instant, Instant),
) -> Result<Measurements, BenchError> {
    let mut seen = Measurements::default();
    let mut task = first;
    pauses.wait().await;
    while Instant::now() < end {
        let Some(now) = task else {
            seen.ran_out_of_tasks = true;
            break;
        };
        number += 1;
        let request = judge.answer_request(host, &now, number);
        let asked = Instant::now();
        let response = connection.send(&request).await?;
        if !J::is_acknowledged(&response) {
            return Err(format!(
                "an answer was rejected: {} {}",
                response.status, response.body
            )
            .into());
        }
        seen.acknowledge_millis
            .push(asked.elapsed().as_secs_f64() * 1e3);
        let request = judge.next_task_request(host);
        let asked = Instant::now();
        task = J::parse_task(&connection.send(&request).await?);
        seen.next_task_millis
            .push(asked.elapsed().as_secs_f64() * 1e3);
        seen.completed_at.push(begun.elapsed().as_secs_f64());
        pauses.wait().await;
    }
    Ok(seen)
}

/// Returns the median and the 99th percentile of the times as JSON.
fn percentiles(mut times: Vec<f64>) -> Value {
    times.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * times.len() as f64) as usize;
        times.get(place.min(times.len().saturating_sub(1))).copied()
    };
    json!({"median": at(0.5), "p99": at(0.99)})
}

/// Returns the CPU time of this process so far, in seconds.
fn cpu_seconds() -> Result<f64, BenchError> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let (_, rest) = stat.rsplit_once(')').ok_or("no times in /proc/self/stat")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    // User and system CPU time: fields 14 and 15 of the file, in ticks of 1/100 s (see proc(5)).
    // The text after `)` starts with field 3.
    let ticks = fields[11].parse::<f64>()? + fields[12].parse::<f64>()?;
    Ok(ticks / 100.0)
}

/// Measures the duration of commits of single rows in PostgreSQL over one connection.
async fn measure_commits(database: &str, seconds: f64) -> Result<Value, BenchError> {
    let mut connection = PgConnection::connect(database).await?;
    sqlx::query("SET synchronous_commit = on")
        .execute(&mut connection)
        .await?;
    sqlx::query("CREATE TABLE single (number BIGINT PRIMARY KEY, line TEXT NOT NULL)")
        .execute(&mut connection)
        .await?;
    let line = "x".repeat(400);
    let mut times = Vec::new();
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < seconds {
        let asked = Instant::now();
        sqlx::query("INSERT INTO single (number, line) VALUES ($1, $2)")
            .bind(times.len() as i64)
            .bind(&line)
            .execute(&mut connection)
            .await?;
        times.push(asked.elapsed().as_secs_f64() * 1e3);
    }
    let took = begun.elapsed().as_secs_f64();
    sqlx::query("DROP TABLE single")
        .execute(&mut connection)
        .await?;
    let count = times.len();
    Ok(json!({"commits": count, "seconds": took, "acknowledged": percentiles(times)}))
}
