//! The functions of a client and a server whose calls are recorded, with their numbers.

macro_rules! calls {
    ($(#[$text:meta])* $name:ident $count:literal: $($call:ident $number:literal,)*) => {
        $(#[$text])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            $($call = $number,)*
        }

        impl $name {
            pub(super) const ALL: [Self; $count] = [$(Self::$call,)*];
        }
    };
}

calls! {
    /// A function of a client whose calls are recorded.
    ClientCall 12:
    Receive 1,
    NextInput 2,
    Input 3,
    Message 4,
    Say 5,
    NextMessage 6,
    NextEvent 7,
    Send 8,
    Show 9,
    GoLive 10,
    Goodbye 11,
    SetPlayout 12,
}

calls! {
    /// A function of a server whose calls are recorded.
    ServerCall 10:
    Receive 1,
    Admit 2,
    Refuse 3,
    NextEvent 4,
    Tick 5,
    Input 6,
    Message 7,
    Say 8,
    NextMessage 9,
    Budget 10,
}
