#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_lane::together::GuestStatus;

    #[test]
    fn what_a_guest_saw_is_lane_b_also_after_the_host_went_back() {
        let mut page = Page::new("#scene=drive&grid=8&rival=hand&hz=30");
        let Ok(mut hosting) = Hosting::new(&page, &[1; 16]) else {
            panic!("the scene has a second cube");
        };
        let Ok(mut guest) = Guest::new(&hosting.link(), "Ann", 5) else {
            panic!("the link is the host's");
        };
        let mut now_ms = 0.0;
        let mut run = |page: &mut Page, hosting: &mut Hosting, guest: &mut Guest, ticks: u32| {
            for _ in 0..ticks {
                let bits = hosting.before_tick(page, 1);
                page.tick(bits);
                assert!(hosting.after_tick(page, now_ms));
                while let Some(datagram) = hosting.next_datagram() {
                    assert_eq!(hosting.connection(), 9);
                    guest.receive(now_ms, &datagram);
                }
                let is_held = (page.lab().tape().last_tick() / 100).is_multiple_of(2);
                guest.frame(now_ms, if is_held { 4 } else { 0 }, true);
                while let Some(datagram) = guest.next_datagram() {
                    hosting.receive(now_ms, 9, &datagram);
                }
                now_ms += 1000.0 / 60.0;
            }
        };
        run(&mut page, &mut hosting, &mut guest, 300);
        assert_eq!(guest.guest.figures().status, GuestStatus::Playing);
        let has_come = |tick: u64| page.lab().tape().rival_input(tick).map(|keys| keys.bits());
        assert!((1..100).any(|tick| has_come(tick) == Some(4)));
        for ticks in [60, 120] {
            assert!(hosting.show_guest(&mut page, &guest.frames()).is_ok());
            page.lab_mut().finish();
            let last = page.lab().tape().last_tick();
            let b = page.lab().b().and_then(|b| b.live(last - 3));
            let live = b.unwrap_or_else(|| panic!("lane B has tick {last}"));
            assert!(
                live.behind_ms.is_some_and(|ms| (20.0..400.0).contains(&ms)),
                "{:?}",
                live.behind_ms
            );
            assert!(
                live.position_error_mm.rms < 500.0,
                "{}",
                live.position_error_mm.rms
            );
            assert!(!page.settings_link().contains("client="));
            page.lab_mut().seek(200);
            run(&mut page, &mut hosting, &mut guest, ticks);
            assert_eq!(page.lab().tape().last_tick(), 200 + u64::from(ticks));
        }
    }
}
