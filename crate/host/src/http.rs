//! The host's HTTP server: the page's files, and a few requests to the room, which has the world and its guests. It runs in
//! its own thread, so that a flood of requests takes no time from the world.

use crate::limits::Limits;
use crate::room::{Ask, RoomFacts};
use crate::site::Site;
use crate::webrtc::Offer;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Deserialize;
use serde_json::{Value, json};
use snapshot_lane::together::GuestRow;
use std::convert::Infallible;
use std::net::{IpAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot};

/// Upper limit of a request's body, bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Time within which a request must have arrived, and time within which the room must answer.
const REQUEST_WITHIN: Duration = Duration::from_secs(10);
/// Longest duration of a connection. The number of connections is bounded, and an idle page must not hold one for a whole
/// lesson.
const CONNECTION_WITHIN: Duration = Duration::from_secs(120);
const VERSION: u32 = 1;

#[cfg(test)]
mod tests;

type Answer = Response<Full<Bytes>>;

/// The state that all connections share.
pub(crate) struct Server {
    pub(crate) site: Site,
    pub(crate) token: String,
    pub(crate) asks: mpsc::Sender<Ask>,
    pub(crate) limits: Mutex<Limits>,
    pub(crate) start: Instant,
}

/// Refusal of a request: HTTP status, and the reason in a sentence.
type Refusal = (StatusCode, String);

/// The body of a POST by the teacher's page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeacherBody {
    version: u32,
    token: String,
    way: Option<u32>,
    keys: Option<u8>,
}

/// Serves HTTP in its own thread, until the program ends.
///
/// # Errors
/// When the thread or its runtime cannot be started.
pub(crate) fn serve(listener: TcpListener, server: Server) -> Result<(), String> {
    let failure = |error: std::io::Error| format!("HTTP cannot start: {error}.");
    listener.set_nonblocking(true).map_err(failure)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(failure)?;
    let server = Arc::new(server);
    let run = move || {
        runtime.block_on(async {
            if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                accept(listener, server).await;
            }
        });
    };
    let thread = std::thread::Builder::new()
        .name("http".to_string())
        .spawn(run);
    thread.map(drop).map_err(failure)
}

async fn accept(listener: tokio::net::TcpListener, server: Arc<Server>) {
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // No more files can be opened, for now.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let from = from.ip();
        if !server.limits().connect(server.now_ms(), from) {
            continue;
        }
        let server = server.clone();
        tokio::spawn(async move {
            answer_all(&server, from, stream).await;
            server.limits().disconnect(from);
        });
    }
}

/// Answers the requests of a connection until it ends or reaches its longest duration.
async fn answer_all(
    server: &Arc<Server>,
    from: IpAddr,
    stream: impl AsyncRead + AsyncWrite + Unpin,
) {
    let service = service_fn(|request| {
        let server = server.clone();
        async move { Ok::<_, Infallible>(server.answer(from, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_WITHIN)
        .max_buf_size(16 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    let _ = tokio::time::timeout(CONNECTION_WITHIN, connection).await;
}

impl Server {
    fn limits(&self) -> std::sync::MutexGuard<'_, Limits> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ms(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1000.0
    }

    async fn answer(&self, from: IpAddr, request: Request<Incoming>) -> Answer {
        let is_head = request.method() == Method::HEAD;
        let answer = match self.answer_or_refuse(from, request).await {
            Ok(answer) => answer,
            Err((status, why)) => with_json(status, &json!({ "error": why })),
        };
        match is_head {
            true => answer.map(|_| Full::default()),
            false => answer,
        }
    }

    async fn answer_or_refuse(
        &self,
        from: IpAddr,
        request: Request<Incoming>,
    ) -> Result<Answer, Refusal> {
        let (method, path) = (request.method().clone(), request.uri().path().to_string());
        let is_read = method == Method::GET || method == Method::HEAD;
        match (path.as_str(), is_read, method == Method::POST) {
            ("/room", true, _) => self.room(from).await,
            ("/rows", true, _) => self.rows(from, request.uri().query()).await,
            ("/offer", _, true) => self.offer(from, request).await,
            ("/hand" | "/keys", _, true) => self.teach(from, request, path == "/hand").await,
            ("/room" | "/rows", ..) => Ok(not_allowed("GET, HEAD")),
            ("/offer" | "/hand" | "/keys", ..) => Ok(not_allowed("POST")),
            (_, true, _) => self.file(&path),
            _ => Ok(not_allowed("GET, HEAD")),
        }
    }

    fn file(&self, path: &str) -> Result<Answer, Refusal> {
        let missing = || (StatusCode::NOT_FOUND, "There is no such file.".to_string());
        let (bytes, content_type) = self.site.file(path).ok_or_else(missing)?;
        Ok(with_body(StatusCode::OK, bytes, content_type))
    }

    async fn room(&self, from: IpAddr) -> Result<Answer, Refusal> {
        self.count(from)?;
        let facts: RoomFacts = self.ask(Ask::Room).await?;
        let RoomFacts {
            link,
            places,
            is_full,
            udp_port,
        } = facts;
        let room = json!({ "version": VERSION, "link": link, "room": places, "full": is_full, "udp": udp_port });
        Ok(with_json(StatusCode::OK, &room))
    }

    async fn rows(&self, from: IpAddr, query: Option<&str>) -> Result<Answer, Refusal> {
        self.count(from)?;
        let parts = query.unwrap_or_default().split('&');
        let token = parts.filter_map(|part| part.strip_prefix("token=")).next();
        self.check(token.unwrap_or_default())?;
        let rows: Vec<GuestRow> = self.ask(Ask::Rows).await?;
        Ok(with_json(
            StatusCode::OK,
            &json!({ "version": VERSION, "rows": rows }),
        ))
    }

    async fn offer(&self, from: IpAddr, request: Request<Incoming>) -> Result<Answer, Refusal> {
        if !self.limits().offer(self.now_ms(), from) {
            return Err(too_many());
        }
        let body = json_body(request).await?;
        let offer = Offer::parse(&body).map_err(|why| (StatusCode::BAD_REQUEST, why))?;
        let answered = self.ask(|reply| Ask::Offer(offer, reply)).await?;
        let (sdp, way) = answered.map_err(|refused| {
            let status = match refused.is_full {
                true => StatusCode::SERVICE_UNAVAILABLE,
                false => StatusCode::BAD_REQUEST,
            };
            (status, refused.why)
        })?;
        let answer = json!({ "version": VERSION, "sdp": sdp, "way": way });
        Ok(with_json(StatusCode::OK, &answer))
    }

    /// Handles a POST of the teacher's page: it gives the second cube to a guest, or sends the keys for the first cube.
    async fn teach(
        &self,
        from: IpAddr,
        request: Request<Incoming>,
        is_hand: bool,
    ) -> Result<Answer, Refusal> {
        self.count(from)?;
        let body = json_body(request).await?;
        let bad = || {
            (
                StatusCode::BAD_REQUEST,
                "The body is not understood.".to_string(),
            )
        };
        let body: TeacherBody = serde_json::from_slice(&body).map_err(|_| bad())?;
        self.check(&body.token)?;
        let ask = match (body.version, is_hand, body.way, body.keys) {
            (VERSION, true, Some(way), None) => Ask::Hand(way),
            (VERSION, false, None, Some(keys)) => Ask::Keys(keys),
            _ => return Err(bad()),
        };
        self.asks.try_send(ask).map_err(|_| busy())?;
        Ok(with_json(StatusCode::OK, &json!({ "version": VERSION })))
    }

    fn count(&self, from: IpAddr) -> Result<(), Refusal> {
        match self.limits().ask(self.now_ms(), from) {
            true => Ok(()),
            false => Err(too_many()),
        }
    }

    /// Checks a token against the teacher's, in constant time.
    fn check(&self, token: &str) -> Result<(), Refusal> {
        match token.as_bytes().ct_eq(self.token.as_bytes()).into() {
            true => Ok(()),
            false => Err((
                StatusCode::FORBIDDEN,
                "Only the teacher's page may do this.".to_string(),
            )),
        }
    }

    /// Sends a request to the room, and waits for its answer.
    async fn ask<T>(&self, ask: impl FnOnce(oneshot::Sender<T>) -> Ask) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.asks.try_send(ask(reply)).map_err(|_| busy())?;
        let answer = tokio::time::timeout(REQUEST_WITHIN, answer).await;
        answer.ok().and_then(Result::ok).ok_or_else(busy)
    }
}

fn busy() -> Refusal {
    let why = "The host is busy: try again in a few seconds.";
    (StatusCode::SERVICE_UNAVAILABLE, why.to_string())
}

fn too_many() -> Refusal {
    let why = "Too many requests: try again in a few seconds.";
    (StatusCode::TOO_MANY_REQUESTS, why.to_string())
}

/// Reads a body of JSON. Only a page of this host can send JSON. A page of another site would have to send a preflight
/// request first, which is not answered.
async fn json_body(request: Request<Incoming>) -> Result<Bytes, Refusal> {
    let content_type = request.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|it| it.to_str().ok()).unwrap_or("");
    if content_type.split(';').next().map(str::trim) != Some("application/json") {
        let why = "The content type must be application/json.".to_string();
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    let body = Limited::new(request.into_body(), BODY_BYTES_MAX).collect();
    match tokio::time::timeout(REQUEST_WITHIN, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err((
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("The body has more than {BODY_BYTES_MAX} bytes."),
        )),
        Ok(Err(_)) => Err((
            StatusCode::BAD_REQUEST,
            "The body is not whole.".to_string(),
        )),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "The body is late.".to_string())),
    }
}

fn not_allowed(methods: &'static str) -> Answer {
    let why = json!({ "error": format!("This path takes {methods}.") });
    let mut answer = with_json(StatusCode::METHOD_NOT_ALLOWED, &why);
    let allowed = HeaderValue::from_static(methods);
    answer.headers_mut().insert(ALLOW, allowed);
    answer
}

fn with_json(status: StatusCode, value: &Value) -> Answer {
    with_body(status, value.to_string().into(), "application/json")
}

fn with_body(status: StatusCode, bytes: Bytes, content_type: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(bytes));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer
}
