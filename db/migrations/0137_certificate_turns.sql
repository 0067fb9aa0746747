-- Certificates: who has one next, since when and until when.

alter table certificate_settings
  -- Days that the office has for each of its steps, the review, and each signature; null: without end.
  add column prepare_days smallint constraint certificate_settings_prepare_days check (prepare_days between 0 and 365),
  add column review_days smallint constraint certificate_settings_review_days check (review_days between 0 and 365),
  add column sign_days smallint constraint certificate_settings_sign_days check (sign_days between 0 and 365);
update certificate_settings set prepare_days = 2, review_days = 2, sign_days = 2;

-- A wait of a certificate: for the office, the review, or the signature in a position. A correction begins new ones; what is over stays.
create table certificate_turns (
  id integer generated always as identity primary key,
  certificate_id integer not null references certificates,
  kind text not null check (kind in ('prepare', 'correct', 'send', 'review', 'sign', 'issue', 'deliver')),
  -- Whose signature it waits for.
  position_id integer references signatory_positions,
  since timestamptz not null default now(),
  -- As the days of its type were when it began; null: without end.
  due_on date,
  done_at timestamptz,
  -- On which day whose turn it is was reminded, who stands above was told, and who administers positions was told that nobody holds it.
  reminded_on date,
  told_on date,
  vacant_on date,
  constraint certificate_turns_position check ((kind = 'sign') = (position_id is not null))
);
create unique index certificate_turns_one on certificate_turns (certificate_id) where done_at is null;
create index certificate_turns_certificate on certificate_turns (certificate_id);
create index certificate_turns_due on certificate_turns (due_on) where done_at is null;
create index certificate_turns_position on certificate_turns (position_id);

install function signing_holder;
install function certificate_turn_office;
install function certificate_turn_holders;
install function certificate_turn_above;
install function signing_administrators;
install function keep_certificate_turn;
install function follow_certificate_turn;
create trigger turn_added after insert on certificates for each row execute function follow_certificate_turn();
create trigger turn_changed after update of status, delivery, removed_at on certificates for each row
  when ((old.status, old.delivery, old.removed_at) is distinct from (new.status, new.delivery, new.removed_at))
  execute function follow_certificate_turn();
create trigger turn_changed after insert on certificate_chain for each row execute function follow_certificate_turn();
create trigger turn_changed after insert on certificate_signatures for each row execute function follow_certificate_turn();

-- What waits already waits since its last step; nobody is reminded of days that were not counted then.
do $$ begin
  perform keep_certificate_turn(id) from certificates where removed_at is null;
end $$;
update certificate_turns g set since = coalesce((select max(h.at) from step_history h
  where h.workflow = 'certificate' and h.record_id = g.certificate_id), g.since);
