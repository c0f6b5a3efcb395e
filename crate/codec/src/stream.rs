//! One description of a packet for both directions: a value is written as it is, or becomes what is read.

use crate::bits::BitReader;
use crate::error::DecodeError;
use crate::ledger::{Kind, Sink};
use crate::ranges::{Rules, Widths};

/// The source or destination of a packet. Writing never fails and leaves the values as they are.
pub trait Stream {
    /// True where values come from the packet.
    const READS: bool;

    /// A code of that many bits, which means `value` (where it is written).
    fn code(
        &mut self,
        kind: Kind,
        rule: &'static str,
        value: i64,
        code: &mut u32,
        bits: u32,
    ) -> Result<(), DecodeError>;

    /// Three differences, each small or large.
    fn differences(
        &mut self,
        kind: Kind,
        rules: &Rules,
        ranges: Widths,
        differences: &mut [i32; 3],
    ) -> Result<(), DecodeError>;

    /// Names the cube that the following fields are about.
    fn about(&mut self, cube: usize);

    /// One bit.
    fn flag(&mut self, kind: Kind, rule: &'static str, flag: &mut bool) -> Result<(), DecodeError> {
        let mut code = u32::from(*flag);
        self.code(kind, rule, i64::from(*flag), &mut code, 1)?;
        *flag = code == 1;
        Ok(())
    }
}

/// Why writing to a stream may be expected to succeed.
pub const WRITING: &str = "writing refuses nothing";

/// Into a sink.
pub struct Writing<'a, S>(pub &'a mut S);

impl<S: Sink> Stream for Writing<'_, S> {
    const READS: bool = false;

    fn code(
        &mut self,
        kind: Kind,
        rule: &'static str,
        value: i64,
        code: &mut u32,
        bits: u32,
    ) -> Result<(), DecodeError> {
        self.0.put(kind, rule, value, *code, bits);
        Ok(())
    }

    fn differences(
        &mut self,
        kind: Kind,
        rules: &Rules,
        ranges: Widths,
        differences: &mut [i32; 3],
    ) -> Result<(), DecodeError> {
        ranges.write(self.0, kind, rules, *differences);
        Ok(())
    }

    fn about(&mut self, cube: usize) {
        self.0.about(Some(cube));
    }
}

/// Out of a packet.
pub struct Reading<'a>(pub BitReader<'a>);

impl Stream for Reading<'_> {
    const READS: bool = true;

    fn code(
        &mut self,
        _: Kind,
        _: &'static str,
        _: i64,
        code: &mut u32,
        bits: u32,
    ) -> Result<(), DecodeError> {
        *code = self.0.read(bits)?;
        Ok(())
    }

    fn differences(
        &mut self,
        _: Kind,
        _: &Rules,
        ranges: Widths,
        differences: &mut [i32; 3],
    ) -> Result<(), DecodeError> {
        *differences = ranges.read(&mut self.0)?;
        Ok(())
    }

    fn about(&mut self, _: usize) {}
}
