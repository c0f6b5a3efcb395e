//! Rung and send rate under some bits of positions and orientations. The best rung depends on the send rate, and the
//! recommended rate depends on the rung. So both are chosen in turns, beginning with the best rung at the link's rate.

use super::advice;
use super::rates::{AtRate, Limits, Rates, at_rates, points, recommend};
use super::sweep::{Missing, RateCosts, Sweep};
use snapshot_base::time::TickRate;
use snapshot_settings::{Key, Settings};

/// A send rate with its rung, and what was measured there.
pub(super) struct Agreement {
    /// Settings whose costs are shown: those of the bits, at the send rate.
    pub(super) costs: Settings,
    pub(super) at: AtRate,
    /// Results of all send rates; `None` before they are measured.
    pub(super) rates: Option<Rates>,
}

impl Agreement {
    /// Measures the link's own send rate alone.
    pub(super) fn at_own_rate(
        sweep: &Sweep,
        settings: &Settings,
        tick_rate: TickRate,
        spread_ms: f64,
    ) -> Result<Agreement, Missing> {
        let hz = settings.lane().at(tick_rate).send_rate_hz();
        let costs = with_rate(settings, hz);
        let mut advised = advised(settings, sweep.costs(&costs)?)?;
        let _ = advised.set(Key::SendRate, hz);
        Ok(Agreement {
            costs,
            at: AtRate::of(sweep, &advised, tick_rate, spread_ms)?,
            rates: None,
        })
    }

    /// Takes turns until rung and rate agree, or a rung comes again.
    pub(super) fn find(
        sweep: &Sweep,
        settings: &Settings,
        tick_rate: TickRate,
        spread_ms: f64,
        limits: Limits,
    ) -> Result<Agreement, Missing> {
        let mut hz = settings.lane().at(tick_rate).send_rate_hz();
        let (mut before, mut last) = (Vec::new(), None::<(Vec<AtRate>, Rates)>);
        loop {
            let costs = with_rate(settings, hz);
            let advised = advised(settings, sweep.costs(&costs)?)?;
            if before.contains(&advised)
                && let Some((all, rates)) = last
            {
                let at = all.into_iter().find(|at| at.rate_hz == hz);
                return Ok(Agreement {
                    costs,
                    at: at.ok_or(Missing::Packets)?,
                    rates: Some(rates),
                });
            }
            let all = at_rates(sweep, &advised, tick_rate, spread_ms)?;
            let points = points(&all);
            let recommended = recommend(&points, limits).ok_or(Missing::Packets)?;
            hz = recommended.point.rate_hz;
            before.push(advised);
            let rates = Rates {
                limits,
                points,
                recommended,
            };
            last = Some((all, rates));
        }
    }
}

fn with_rate(settings: &Settings, rate_hz: u32) -> Settings {
    let mut settings = *settings;
    let _ = settings.set(Key::SendRate, rate_hz);
    settings
}

/// Returns the settings with the rung and the widths that the costs advise.
fn advised(settings: &Settings, costs: &RateCosts) -> Result<Settings, Missing> {
    let rung = costs.rung.as_ref().ok_or(Missing::Packets)?;
    Ok(advice::advised(settings, rung, &costs.widths))
}
