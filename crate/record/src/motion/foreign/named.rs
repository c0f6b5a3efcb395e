//! Files of known programs that hold no rows of poses. The refusal names the program, and a way to get such rows.

/// Number of bytes at the start of a file that are searched.
const LOOKED_AT_BYTES: usize = 1 << 14;

const REPLAY: &str = "it is a replay, which a game plays again by its own rules. Have a parser of that game's replays write a row for each object and tick: tick,object,x,y,z";
const DATABASE: &str = "it is a log of messages (a bag or a database): export the poses as rows of time,object,x,y,z,qx,qy,qz,qw";
const SCENE: &str = "it is a scene or a rig of a 3D program: bake its animation, and export a row for each object and frame: time,object,x,y,z,qx,qy,qz,qw";
const PACKED: &str = "it is packed: unpack it first. Files packed by xz are read";
const ARRAYS: &str = "it is a file of arrays: save them as CSV with the columns time,object,x,y,z";

/// First bytes of a kind of file, and the refusal for that kind.
const BEGINNINGS: [(&[u8], &str); 27] = [
    (
        b"HIERARCHY",
        "it is a BVH, which has angles of joints in a chain and no positions of bodies. Write a row for each joint and frame: time,object,x,y,z,qx,qy,qz,qw",
    ),
    (
        b"Format Version",
        "it is an export of Motive: bodies stand side by side under lines of head. Write a row for each body and frame: time,object,x,y,z,qx,qy,qz,qw, with a line unit=mm above it where Motive says millimetres",
    ),
    (
        b"PathFileType",
        "it is a TRC: markers stand side by side. Write a row for each marker and frame: time,object,x,y,z",
    ),
    (
        b"NO_OF_FRAMES",
        "it is a TSV of Qualisys: markers stand side by side. Write a row for each marker and frame: time,object,x,y,z",
    ),
    (b"HL2DEMO\0", REPLAY),
    (b"PBDEMS2\0", REPLAY),
    (b"PBUFDEM\0", REPLAY),
    (b"\x7f\xe2\xa2\x1c", REPLAY),
    (b"RIOT", REPLAY),
    (b"MPQ\x1b", REPLAY),
    (b"Warcraft III recorded game", REPLAY),
    (b"\x12\x32\x34\x11", REPLAY),
    (b"#ROSBAG", DATABASE),
    (b"\x89MCAP", DATABASE),
    (b"SQLite format 3\0", DATABASE),
    (b"glTF", SCENE),
    (b"#usda", SCENE),
    (b"PXR-USDC", SCENE),
    (b"; FBX", SCENE),
    (b"Kaydara FBX", SCENE),
    (b"Ogawa", SCENE),
    (b"\x1f\x8b", PACKED),
    (b"\x28\xb5\x2f\xfd", PACKED),
    (b"BZh", PACKED),
    (b"\x93NUMPY", ARRAYS),
    (b"\x89HDF", ARRAYS),
    (b"PAR1", ARRAYS),
];

/// Words near the start of a kind of file, and the refusal for that kind.
const WORDS: [(&[u8], &str); 3] = [
    (b"TAGame.Replay_", REPLAY),
    (b"\"asset\"", SCENE),
    (b"HIERARCHY\nROOT", BEGINNINGS[0].1),
];

/// Returns a sentence that names the file's program and a way to get rows of poses; `None` for an unknown kind of file.
pub(super) fn sentence(bytes: &[u8]) -> Option<&'static str> {
    let head = &bytes[..bytes.len().min(LOOKED_AT_BYTES)];
    let trimmed = head.trim_ascii_start();
    let begins =
        |(first, _): &&(&[u8], &str)| head.starts_with(first) || trimmed.starts_with(first);
    let has = |(word, _): &&(&[u8], &str)| head.windows(word.len()).any(|it| it == *word);
    // A scene's word may be a column's; a scene begins with a brace.
    let is_scene = |sentence: &str| sentence != SCENE || trimmed.starts_with(b"{");
    BEGINNINGS
        .iter()
        .find(begins)
        .or_else(|| WORDS.iter().find(|it| is_scene(it.1) && has(it)))
        .map(|(_, sentence)| *sentence)
}
