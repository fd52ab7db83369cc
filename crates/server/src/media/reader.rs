//! Reader of media files for responses: reads a file in pieces, and bounds the bytes that wait for
//! slow clients.

use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::problem::{HttpProblem, ProblemKind};
use crate::store::{Store, StoreError};
use crate::writer::BoxFuture;

/// Size of a chunk, the part of a file that a response holds until the client has taken it.
const CHUNK_BYTES: u64 = 64 * 1_024;

/// Size of a piece, the part of a file that is read at once. SQLite finds a part by following the
/// pages before it, so larger pieces need fewer passes.
const PIECE_BYTES: u64 = 1 << 20;

/// Maximum number of pieces in the cache that all responses share.
const MAX_CACHED_PIECES: usize = 32;

/// Maximum number of chunks that all responses hold: 64 MiB.
const MAX_CHUNKS: usize = 1_024;

/// Maximum number of chunks that the responses to one client address hold: 16 MiB.
const MAX_CHUNKS_PER_ADDRESS: usize = 256;

/// Maximum number of reads from the database at the same time.
const MAX_READS: usize = 2;

/// Default maximum time that a request waits for its first chunk.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Reader of media files, shared by all responses.
pub(crate) struct MediaReader {
    store: Arc<dyn Store>,
    cache: Mutex<PieceCache>,
    reads: Semaphore,
    chunks: Arc<Semaphore>,
    /// Permits for chunks by client address. Addresses are held in memory only.
    chunks_by_address: Mutex<HashMap<IpAddr, Arc<Semaphore>>>,
    /// Maximum time that a request waits for its first chunk. [`MAX_WAIT`] except in tests.
    max_wait: Duration,
}

/// Recently used pieces of files, keyed by media id and number of the piece.
#[derive(Default)]
struct PieceCache {
    pieces: HashMap<(Arc<str>, u64), CachedPiece>,
    /// Number of uses of the cache.
    uses: u64,
}

/// Piece of a file.
struct CachedPiece {
    bytes: Bytes,
    /// Number of the last use of the cache that found this piece.
    last_use: u64,
}

/// Chunk of a file with its permits, which are returned when the client has taken the chunk.
struct Chunk {
    bytes: Vec<u8>,
    _permits: [OwnedSemaphorePermit; 3],
}

impl AsRef<[u8]> for Chunk {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Locks a value. The lock is only held for a moment.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PieceCache {
    fn get(&mut self, key: &(Arc<str>, u64)) -> Option<Bytes> {
        self.uses += 1;
        let piece = self.pieces.get_mut(key)?;
        piece.last_use = self.uses;
        Some(piece.bytes.clone())
    }

    fn insert(&mut self, key: (Arc<str>, u64), bytes: Bytes) {
        self.uses += 1;
        let last_use = self.uses;
        self.pieces.insert(key, CachedPiece { bytes, last_use });
        if self.pieces.len() > MAX_CACHED_PIECES {
            let oldest = self.pieces.iter().min_by_key(|(_, piece)| piece.last_use);
            let oldest = oldest.map(|(key, _)| key.clone());
            oldest.and_then(|key| self.pieces.remove(&key));
        }
    }
}

impl MediaReader {
    pub(crate) fn new(store: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            store,
            cache: Mutex::default(),
            reads: Semaphore::new(MAX_READS),
            chunks: Arc::new(Semaphore::new(MAX_CHUNKS)),
            chunks_by_address: Mutex::default(),
            max_wait: MAX_WAIT,
        })
    }

    /// Opens a range of a file for the response to a client, and reads its first chunk.
    ///
    /// # Errors
    /// Returns an [`HttpProblem`] if the file does not exist, the database fails, or other responses
    /// hold the permitted number of bytes for too long.
    pub(crate) async fn open(
        self: &Arc<Self>,
        id: String,
        range: Range<u64>,
        address: IpAddr,
    ) -> Result<MediaBody, HttpProblem> {
        let id: Arc<str> = id.into();
        let of_address = (lock(&self.chunks_by_address).entry(address))
            .or_insert_with(|| Arc::new(Semaphore::new(MAX_CHUNKS_PER_ADDRESS)))
            .clone();
        let mut body = MediaBody {
            reader: self.clone(),
            id,
            // A short range is read by itself, so that it costs no more than its bytes.
            uses_pieces: range.end - range.start > CHUNK_BYTES,
            unsent: range.end - range.start,
            rest: range,
            of_address,
            own: Arc::new(Semaphore::new(1)),
            pending: None,
        };
        let first = tokio::time::timeout(self.max_wait, body.read_next()).await;
        let first = first.map_err(|_| match body.of_address.available_permits() {
            0 => HttpProblem::new(
                ProblemKind::RateLimited,
                "too many files are being sent to this address; wait a moment",
            ),
            _ => HttpProblem::new(
                ProblemKind::Unavailable,
                "too many files are being sent; try again later",
            ),
        })?;
        let first = first?.ok_or_else(|| HttpProblem::not_found("file"))?;
        body.pending = Some(Box::pin(async { Ok(Some(first)) }));
        Ok(body)
    }

    /// Returns the part of a file from its cached piece, which is read if it is not cached; `None`
    /// if the file does not exist. The part must be within one piece.
    async fn read_through_cache(
        &self,
        id: &Arc<str>,
        part: Range<u64>,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let number = part.start / PIECE_BYTES;
        let key = (id.clone(), number);
        let start = number * PIECE_BYTES;
        let cut = |piece: &Bytes| {
            let within = (part.start - start) as usize..(part.end - start) as usize;
            piece.get(within).map(<[u8]>::to_vec)
        };
        if let Some(piece) = lock(&self.cache).get(&key) {
            return Ok(cut(&piece));
        }
        let _permit = self.reads.acquire().await;
        // Another response may have read the piece meanwhile.
        if let Some(piece) = lock(&self.cache).get(&key) {
            return Ok(cut(&piece));
        }
        let piece = (self.store.read_media(id, start..start + PIECE_BYTES)).await?;
        let Some(piece) = piece.map(Bytes::from) else {
            return Ok(None);
        };
        let bytes = cut(&piece);
        lock(&self.cache).insert(key, piece);
        Ok(bytes)
    }

    /// Returns a part of a file, without reading more than this part unless `uses_pieces` is true;
    /// `None` if the file does not exist.
    async fn read_part(
        &self,
        id: &Arc<str>,
        part: Range<u64>,
        uses_pieces: bool,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        if uses_pieces {
            return self.read_through_cache(id, part).await;
        }
        let _permit = self.reads.acquire().await;
        self.store.read_media(id, part).await
    }

    /// Forgets the addresses to which nothing is being sent.
    pub(crate) fn evict_idle(&self) {
        lock(&self.chunks_by_address).retain(|_, permits| Arc::strong_count(permits) > 1);
    }
}

/// Body of a response that sends a range of a media file. It holds one chunk at a time, and reads
/// the next when the client has taken it.
pub(crate) struct MediaBody {
    reader: Arc<MediaReader>,
    id: Arc<str>,
    /// Rest of the range, from the next byte to read.
    rest: Range<u64>,
    /// Number of bytes that the response has not taken yet.
    unsent: u64,
    /// True if the file is read in cached pieces; false if the range is read by itself.
    uses_pieces: bool,
    /// Permits for the chunks of all responses to the address of the client.
    of_address: Arc<Semaphore>,
    /// Permit for the chunk of this response.
    own: Arc<Semaphore>,
    pending: Option<BoxFuture<'static, Result<Option<Bytes>, StoreError>>>,
}

impl MediaBody {
    /// Returns a future that reads the next chunk when there are permits for it. It gives `None` if
    /// the file no longer exists.
    fn read_next(&mut self) -> BoxFuture<'static, Result<Option<Bytes>, StoreError>> {
        let start = self.rest.start;
        let end_of_piece = (start / PIECE_BYTES + 1) * PIECE_BYTES;
        let end = self.rest.end.min(start + CHUNK_BYTES).min(end_of_piece);
        self.rest.start = end;
        let (reader, id, uses_pieces) = (self.reader.clone(), self.id.clone(), self.uses_pieces);
        let length = (end - start) as usize;
        let permits = [&self.own, &self.of_address, &reader.chunks].map(Arc::clone);
        Box::pin(async move {
            let [own, of_address, all] = permits.map(Semaphore::acquire_owned);
            let never_closed = "the semaphore is never closed";
            let permits = [
                own.await.expect(never_closed),
                of_address.await.expect(never_closed),
                all.await.expect(never_closed),
            ];
            let bytes = reader.read_part(&id, start..end, uses_pieces).await?;
            let bytes = bytes.filter(|bytes| bytes.len() == length);
            Ok(bytes.map(|bytes| {
                Bytes::from_owner(Chunk {
                    bytes,
                    _permits: permits,
                })
            }))
        })
    }
}

impl Body for MediaBody {
    type Data = Bytes;
    type Error = StoreError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, StoreError>>> {
        let mut pending = match self.pending.take() {
            Some(pending) => pending,
            None if self.unsent == 0 => return Poll::Ready(None),
            None => self.read_next(),
        };
        let Poll::Ready(chunk) = pending.as_mut().poll(context) else {
            self.pending = Some(pending);
            return Poll::Pending;
        };
        let gone = || StoreError::corrupted(format!("the file {} is missing", self.id));
        let chunk = chunk.and_then(|chunk| chunk.ok_or_else(gone));
        match &chunk {
            Ok(chunk) => self.unsent -= chunk.len() as u64,
            Err(error) => crate::log_error(error),
        }
        Poll::Ready(Some(chunk.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.unsent == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.unsent)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use http_body_util::BodyExt as _;

    use super::*;
    use crate::store::Transaction;

    /// Store with one file of 20 MiB, which counts the bytes that are read of it.
    #[derive(Default)]
    struct CountingStore {
        read: Mutex<Vec<Range<u64>>>,
    }

    const FILE_BYTES: u64 = 20 << 20;

    /// Returns the byte at a position of the file.
    fn byte_at(position: u64) -> u8 {
        (position % 251) as u8
    }

    #[async_trait::async_trait]
    impl Store for CountingStore {
        async fn begin_write(&self) -> Result<Box<dyn Transaction>, StoreError> {
            unreachable!("a reader writes nothing")
        }

        async fn begin_read(&self) -> Result<Box<dyn Transaction>, StoreError> {
            unreachable!("a reader needs no transaction")
        }

        async fn read_media(
            &self,
            id: &str,
            part: Range<u64>,
        ) -> Result<Option<Vec<u8>>, StoreError> {
            lock(&self.read).push(part.clone());
            let part = part.start..part.end.min(FILE_BYTES);
            Ok((id != "gone").then(|| part.map(byte_at).collect()))
        }

        async fn close(&self) {}
    }

    fn new_reader() -> (Arc<MediaReader>, Arc<CountingStore>) {
        let store = Arc::new(CountingStore::default());
        (MediaReader::new(store.clone()), store)
    }

    /// Returns a client address.
    fn address(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(number).into()
    }

    /// Opens a range for a client and panics if it is refused.
    async fn open(reader: &Arc<MediaReader>, range: Range<u64>, client: u32) -> MediaBody {
        let opened = reader.open("file".to_owned(), range, address(client)).await;
        opened.unwrap_or_else(|problem| panic!("{}", problem.detail))
    }

    /// Receives a response. Each chunk is given back before the next, as a connection does.
    async fn receive(mut body: MediaBody) -> Vec<u8> {
        let mut received = Vec::new();
        while let Some(frame) = body.frame().await {
            let chunk = frame.expect("the store works").into_data();
            received.extend_from_slice(&chunk.expect("the body has only data"));
        }
        received
    }

    #[tokio::test]
    async fn server_a6_a_range_reads_only_itself() {
        let (reader, store) = new_reader();
        for range in [0..1, 19_000_000..19_000_001, 500..40_000] {
            let body = open(&reader, range.clone(), 1).await;
            assert!(
                receive(body)
                    .await
                    .into_iter()
                    .eq(range.clone().map(byte_at))
            );
            assert_eq!(std::mem::take(&mut *lock(&store.read)), [range]);
        }
        // A long range reads the pieces that it touches, once for all responses.
        for _ in 0..3 {
            let range = 3_000_000..5_000_000;
            let body = open(&reader, range.clone(), 1).await;
            assert_eq!(body.size_hint().exact(), Some(2_000_000));
            assert!(receive(body).await.into_iter().eq(range.map(byte_at)));
        }
        let pieces = [2, 3, 4].map(|piece| piece * PIECE_BYTES..(piece + 1) * PIECE_BYTES);
        assert_eq!(*lock(&store.read), pieces);
        let gone = reader.open("gone".to_owned(), 0..5, address(1)).await;
        assert_eq!(
            gone.err().map(|problem| problem.kind),
            Some(ProblemKind::NotFound)
        );
    }

    #[tokio::test]
    async fn server_a6_bytes_in_flight_are_bounded_in_total_and_per_address() {
        let mut reader = new_reader().0;
        let wait = Duration::from_millis(50);
        Arc::get_mut(&mut reader)
            .expect("nobody shares it")
            .max_wait = wait;
        let whole = || 0..FILE_BYTES;
        // Each response holds one chunk, however often it is polled.
        let mut first = open(&reader, whole(), 1).await;
        let chunk = first.frame().await.expect("there is a chunk");
        let more = tokio::time::timeout(wait, first.frame()).await;
        assert!(more.is_err(), "the client has not taken the first chunk");
        let mut open_bodies = Vec::new();
        for _ in 1..MAX_CHUNKS_PER_ADDRESS {
            open_bodies.push(open(&reader, whole(), 1).await);
        }
        let refused = reader.open("file".to_owned(), 0..1, address(1)).await;
        let refused = refused.err().map(|problem| problem.kind);
        assert_eq!(refused, Some(ProblemKind::RateLimited));
        // Other addresses get chunks until all permits are in use.
        for client in 1..(MAX_CHUNKS / MAX_CHUNKS_PER_ADDRESS) as u32 {
            for _ in 0..MAX_CHUNKS_PER_ADDRESS {
                open_bodies.push(open(&reader, whole(), 1 + client).await);
            }
        }
        let refused = reader.open("file".to_owned(), 0..1, address(77)).await;
        let refused = refused.err().map(|problem| problem.kind);
        assert_eq!(refused, Some(ProblemKind::Unavailable));
        // A chunk that a client took makes room for the next.
        drop(chunk);
        assert!(first.frame().await.is_some_and(|chunk| chunk.is_ok()));
        drop((first, open_bodies));
        reader.evict_idle();
        assert!(lock(&reader.chunks_by_address).is_empty());
        assert_eq!(reader.chunks.available_permits(), MAX_CHUNKS);
    }

    #[tokio::test]
    async fn the_cache_holds_a_bounded_number_of_pieces() {
        let (reader, store) = new_reader();
        let id: Arc<str> = "file".into();
        for file in 0..40 {
            let id: Arc<str> = format!("{file}").into();
            let read = reader.read_part(&id, 0..9, true).await;
            assert!(read.is_ok_and(|bytes| bytes.is_some()));
            // A piece that is used again stays.
            assert!(reader.read_part(&"file".into(), 0..9, true).await.is_ok());
        }
        assert_eq!(lock(&reader.cache).pieces.len(), MAX_CACHED_PIECES);
        let before = lock(&store.read).len();
        assert!(reader.read_part(&id, 5..9, true).await.is_ok());
        assert_eq!(lock(&store.read).len(), before);
    }
}
