-- A place in a queue in exchange for a seat: when the new seat is had, the one named here is given up in the same
-- transaction, and not otherwise.

-- waiting → moved | left | expired | ended (what was to be given up cannot be given up any more, and why)
alter table wait_list
  -- The registration that is given up. No foreign key: it may be removed, and then the place ends.
  add column gives_up_id integer,
  -- Every meeting of the choice; `offering_slot_ids` are those among them that the student has no seat in yet.
  add column swap_slot_ids integer[],
  add column end_reason text,
  drop constraint wait_list_state_check,
  add constraint wait_list_state_check check (state in ('waiting', 'moved', 'left', 'expired', 'ended')),
  add constraint wait_list_swap check ((gives_up_id is null) = (swap_slot_ids is null)),
  add constraint wait_list_ended check ((state = 'ended') = (end_reason is not null)
    and (end_reason is null or gives_up_id is not null));
-- A seat is offered for one other at a time.
create unique index swap_already on wait_list (gives_up_id) where state = 'waiting';
