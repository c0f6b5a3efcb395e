//! Recorders of a package without feature `recording`: none exists, so their calls take no code.

use super::calls::{ClientCall, ServerCall};
use crate::connection::{Dialer, Listener};
use crate::world::WorldSnapshot;
use crate::{Interest, Object, Peer, Settings};
use snapshot_codec::Format;
use std::convert::Infallible;
use std::marker::PhantomData;

pub(crate) enum ClientRecorder {}

impl ClientRecorder {
    pub(crate) fn call(&mut self, _: ClientCall, _: Option<f64>) {
        match *self {}
    }

    pub(crate) fn receive(&mut self, _: f64, _: &Dialer, _: &[u8]) {
        match *self {}
    }

    pub(crate) fn input(&mut self, _: u64, _: &[u8]) {
        match *self {}
    }

    pub(crate) fn message(&mut self, _: ClientCall, _: &[u8]) {
        match *self {}
    }

    pub(crate) fn set_playout(&mut self, _: &Settings) {
        match *self {}
    }

    pub(crate) fn sent(&mut self, _: &[u8]) {
        match *self {}
    }

    pub(crate) fn shown(&mut self, _: Option<f64>, _: &[Object]) {
        match *self {}
    }
}

pub(crate) enum TickAnswers {}

impl TickAnswers {
    pub(crate) fn add(&mut self, _: Interest) {
        match *self {}
    }
}

pub(crate) enum TickHashes {}

impl TickHashes {
    pub(crate) fn add_sent(&mut self, _: &[u8]) {
        match *self {}
    }
}

pub(crate) struct ServerRecorder<A>(Infallible, PhantomData<A>);

impl<A> ServerRecorder<A> {
    pub(crate) fn receive(&mut self, _: f64, _: &Listener<A>, _: (&A, Option<u64>), _: &[u8]) {
        match self.0 {}
    }

    pub(crate) fn answered(&mut self, _: &[u8]) {
        match self.0 {}
    }

    pub(crate) fn of_peer(&mut self, _: ServerCall, _: Peer, _: &[u8]) {
        match self.0 {}
    }

    pub(crate) fn plain(&mut self, _: ServerCall) {
        match self.0 {}
    }

    pub(crate) fn refuse(&mut self, _: Peer, _: &str) {
        match self.0 {}
    }

    pub(crate) fn input(&mut self, _: Peer, _: u64) {
        match self.0 {}
    }

    pub(crate) fn message(&mut self, _: ServerCall, _: Peer, _: &[u8]) {
        match self.0 {}
    }

    pub(crate) fn budget(&mut self, _: Peer, _: Option<f64>) {
        match self.0 {}
    }

    pub(crate) fn tick(&self) -> Option<(TickAnswers, TickHashes)> {
        match self.0 {}
    }

    pub(crate) fn ticked(
        &mut self,
        _: f64,
        _: u64,
        _: &[Object],
        _: (TickAnswers, TickHashes),
        _: (&Format, &WorldSnapshot),
    ) {
        match self.0 {}
    }
}
