-- Beds of the university: hostels with their rooms and beds, who sleeps in them, from which day to which.

-- What rooms there are, and what a bed in them costs: items of the fees, which have their prices by year, and what is held until the guest leaves.
select create_lookup('room_kinds');
alter table room_kinds
  add column night_item_id integer references fee_items,
  add column month_item_id integer references fee_items,
  add column term_item_id integer references fee_items,
  add column deposit_item_id integer references fee_items;
create index room_kinds_night on room_kinds (night_item_id);
create index room_kinds_month on room_kinds (month_item_id);
create index room_kinds_term on room_kinds (term_item_id);
create index room_kinds_deposit on room_kinds (deposit_item_id);

-- What stands in each room of a kind, and what it costs to replace, in minor units of the pound.
create table room_kind_items (
  id integer generated always as identity primary key,
  room_kind_id integer not null references room_kinds on delete cascade,
  position smallint not null,
  name text not null,
  name_local text not null,
  price bigint not null check (price >= 0),
  constraint room_item_twice unique (room_kind_id, name) deferrable
);
select audit_rows('room_kind_items', 'room_kind_id');

-- A building in which people sleep.
create table hostels (
  id integer generated always as identity primary key,
  building_id integer not null references buildings,
  code text not null,
  name text not null,
  name_local text not null,
  gender text not null check (gender in ('men', 'women', 'families')),
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint hostels_code_key unique (code)
);
create index hostels_building on hostels (building_id);
select one_code_in_any_case('hostels');
select audit_table('hostels');

create table hostel_rooms (
  id integer generated always as identity primary key,
  hostel_id integer not null references hostels,
  code text not null,
  floor smallint not null check (floor between -5 and 200),
  kind_id integer not null references room_kinds,
  -- Who may sleep in it: the gender, and, where it says so, one faculty, one level, or people of one kind.
  gender text not null check (gender in ('men', 'women', 'families')),
  audience text check (audience in ('students', 'staff', 'guests')),
  faculty_id integer references faculties,
  level smallint check (level between 0 and 7),
  search_text text generated always as (fold_text(code)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index hostel_room_twice on hostel_rooms (hostel_id, lower(code)) where removed_at is null;
create index hostel_rooms_kind on hostel_rooms (kind_id);
create index hostel_rooms_faculty on hostel_rooms (faculty_id);
select audit_table('hostel_rooms');

create table hostel_beds (
  id integer generated always as identity primary key,
  room_id integer not null references hostel_rooms on delete cascade,
  code text not null check (code <> ''),
  constraint hostel_bed_twice unique (room_id, code) deferrable
);
select audit_rows('hostel_beds', 'room_id');

-- Days on which a room, or one bed of it, is closed: from the night of the first day, until the morning of the last.
create table bed_closings (
  id integer generated always as identity primary key,
  room_id integer not null references hostel_rooms,
  bed_id integer references hostel_beds,
  from_day date not null,
  until_day date not null,
  period daterange generated always as (daterange(from_day, until_day, '[)')) stored,
  reason text not null check (length(reason) between 1 and 400),
  search_text text generated always as (fold_text(reason)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bed_closing_order check (until_day > from_day)
);
create index bed_closings_room on bed_closings using gist (room_id, period);
create index bed_closings_bed on bed_closings (bed_id);
select audit_table('bed_closings', array['period']);

-- Beds that are held for a group, as stays without a name until a member is given one.
create table bed_groups (
  id integer generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  contact text check (length(contact) <= 200),
  hostel_id integer not null references hostels,
  from_day date not null,
  until_day date not null,
  beds smallint not null check (beds between 1 and 500),
  search_text text generated always as (fold_text(name)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bed_group_order check (until_day > from_day)
);
create index bed_groups_hostel on bed_groups (hostel_id);
select audit_table('bed_groups');

-- Who asked for a bed, and where that led. Days are those of the university: the night of `from_day` is the first, that before `until_day` the last.
create table hotel_reservations (
  id integer generated always as identity primary key,
  code text generated always as ('BED-' || lpad(id::text, 6, '0')) stored,
  student_id integer references students,
  guest_name text check (length(guest_name) between 1 and 200),
  guest_phone text check (length(guest_phone) <= 20),
  audience text not null default 'students' check (audience in ('students', 'staff', 'guests')),
  gender smallint check (gender in (1, 2)),
  -- What was asked for; empty: any.
  kind_id integer references room_kinds,
  hostel_id integer references hostels,
  from_day date not null,
  until_day date not null,
  period daterange generated always as (daterange(from_day, until_day, '[)')) stored,
  unit text not null default 'night' check (unit in ('night', 'month', 'term')),
  term_id integer references terms,
  -- The order of those who wait: group, distance from home, and when it was asked for.
  priority smallint not null default 3 check (priority between 1 and 3),
  distance_km integer check (distance_km between 0 and 20000),
  asked_at timestamptz not null default clock_timestamp(),
  note text check (length(note) <= 1000),
  -- One press of the button is one request.
  request_key uuid,
  status text not null default 'requested'
    check (status in ('requested', 'confirmed', 'checked_in', 'checked_out', 'cancelled', 'no_show')),
  bed_id integer constraint hostel_bed_used references hostel_beds,
  group_id integer references bed_groups,
  -- Of a guest who changed beds: the stay that this one goes on from.
  continues_id integer references hotel_reservations,
  invoice_id integer references invoices,
  confirmed_at timestamptz,
  checked_in_at timestamptz,
  checked_out_at timestamptz,
  search_text text generated always as (fold_text('BED-' || lpad(id::text, 6, '0') || ' ' || coalesce(guest_name, ''))) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint reservation_order check (until_day > from_day or (until_day = from_day and status in ('checked_out', 'cancelled', 'no_show'))),
  constraint reservation_bed check (bed_id is not null or status in ('requested', 'cancelled', 'no_show')),
  constraint reservation_who check (num_nonnulls(student_id, guest_name) = 1
    or (group_id is not null and num_nonnulls(student_id, guest_name) = 0)),
  -- Nobody sleeps in a bed in which somebody sleeps.
  constraint bed_taken exclude using gist (bed_id with =, period with &&)
    where (bed_id is not null and removed_at is null and status in ('confirmed', 'checked_in', 'checked_out')),
  -- And nobody in two beds.
  constraint reservation_twice exclude using gist (student_id with =, period with &&)
    where (student_id is not null and removed_at is null and status in ('requested', 'confirmed', 'checked_in'))
);
create unique index hotel_reservations_key on hotel_reservations (request_key);
create index hotel_reservations_student on hotel_reservations (student_id);
create index hotel_reservations_kind on hotel_reservations (kind_id);
create index hotel_reservations_hostel on hotel_reservations (hostel_id);
create index hotel_reservations_term on hotel_reservations (term_id);
create index hotel_reservations_bed on hotel_reservations (bed_id);
create index hotel_reservations_group on hotel_reservations (group_id);
create index hotel_reservations_continues on hotel_reservations (continues_id);
create index hotel_reservations_invoice on hotel_reservations (invoice_id);
create index hotel_reservations_period on hotel_reservations using gist (period) where (removed_at is null);
create index hotel_reservations_waiting on hotel_reservations (priority, distance_km desc nulls last, asked_at, id)
  where status = 'requested' and removed_at is null;
create index hotel_reservations_created on hotel_reservations (from_day desc, id desc);
select audit_table('hotel_reservations', array['period', 'code', 'request_key']);

-- With whom somebody would share a room; it counts once the other wishes it too.
create table bed_mates (
  id integer generated always as identity primary key,
  reservation_id integer not null references hotel_reservations on delete cascade,
  student_id integer not null references students,
  constraint bed_mate_twice unique (reservation_id, student_id) deferrable
);
create index bed_mates_student on bed_mates (student_id);
select audit_rows('bed_mates', 'reservation_id');

-- What was broken or missing when a guest left, and what was charged for it.
create table bed_damages (
  id integer generated always as identity primary key,
  reservation_id integer not null references hotel_reservations on delete cascade,
  item_id integer references room_kind_items on delete set null,
  name text not null check (length(name) between 1 and 200),
  name_local text not null check (length(name_local) between 1 and 200),
  amount bigint not null check (amount > 0),
  constraint bed_damage_twice unique (reservation_id, item_id) deferrable
);
create index bed_damages_item on bed_damages (item_id);
select audit_rows('bed_damages', 'reservation_id');

install function guard_bed_stay, guard_bed_closing, guard_hostel_room;
create trigger guard_bed before insert or update of bed_id, from_day, until_day, status, gender, removed_at on hotel_reservations
  for each row when (new.bed_id is not null and new.removed_at is null and new.status in ('confirmed', 'checked_in'))
  execute function guard_bed_stay();
create trigger guard_closing before insert or update of room_id, bed_id, from_day, until_day, removed_at on bed_closings
  for each row when (new.removed_at is null) execute function guard_bed_closing();
create trigger guard_room before update of gender, removed_at on hostel_rooms
  for each row when ((old.gender, old.removed_at) is distinct from (new.gender, new.removed_at)) execute function guard_hostel_room();
