-- Courses from elsewhere name a university of the list and, where it is known, a faculty of it. What was typed is found in the
-- list by its folded name, in either script; what is not there is added, to be named in the other script by somebody.

-- Faculties and schools of other universities.
select create_lookup('university_faculties');
alter table university_faculties add column university_id integer not null references universities_list,
  add column name_key text generated always as (fold_text(name)) stored, add column name_local_key text generated always as (fold_text(name_local)) stored;
create index university_faculties_university on university_faculties (university_id);
alter table university_faculties add constraint university_faculties_of unique (id, university_id);

-- One university stands there once: the first of each name stays. Nothing pointed to the list until now.
do $$
declare
  double record;
begin
  for double in
    select o.id, o.name, k.id as kept from universities_list o join lateral (
      select k.id from universities_list k where k.id < o.id and k.removed_at is null
        and (fold_text(k.name) = fold_text(o.name) or fold_text(k.name_local) = fold_text(o.name_local)) order by k.id limit 1) k on true
    where o.removed_at is null order by o.id
  loop
    raise warning 'The university % (%) stands there already as %: removed', double.name, double.id, double.kept;
    update universities_list set removed_at = now() where id = double.id;
  end loop;
end $$;
alter table universities_list add column name_key text generated always as (fold_text(name)) stored,
  add column name_local_key text generated always as (fold_text(name_local)) stored;
create unique index university_known_already on universities_list (name_key) where removed_at is null;
create unique index university_known_already_local on universities_list (name_local_key) where removed_at is null;
create unique index university_faculty_known_already on university_faculties (name_key, university_id) where removed_at is null;
create unique index university_faculty_known_already_local on university_faculties (name_local_key, university_id) where removed_at is null;

-- What is worked out of a name is no change of its own in the log.
do $$
declare
  one text;
begin
  foreach one in array array['universities_list', 'university_faculties'] loop
    execute format('drop trigger audit_insert on %1$I; drop trigger audit_update on %1$I; drop trigger audit_delete on %1$I; drop trigger touch on %1$I', one);
    perform audit_table(one, array['name_key', 'name_local_key']);
  end loop;
end $$;

alter table external_transfers add column university_id integer references universities_list,
  add column university_faculty_id integer references university_faculties;

insert into universities_list (code, name, name_local, country_id)
select 'TYPED-' || row_number() over (order by min(x.id)), (array_agg(x.typed order by x.id))[1], (array_agg(x.typed order by x.id))[1],
  (array_agg(x.country_id order by x.id) filter (where x.country_id is not null))[1]
from (select id, btrim(institution) as typed, country_id from external_transfers) x
where not exists (select from universities_list u where u.removed_at is null and fold_text(x.typed) in (fold_text(u.name), fold_text(u.name_local)))
group by fold_text(x.typed);

alter table external_transfers disable trigger user;
update external_transfers t set university_id = (select u.id from universities_list u where u.removed_at is null
  and fold_text(t.institution) in (fold_text(u.name), fold_text(u.name_local)) order by u.id limit 1);
alter table external_transfers enable trigger user;
update universities_list u set country_id = t.country_id
from (select distinct on (university_id) university_id, country_id from external_transfers where country_id is not null order by university_id, id desc) t
where u.id = t.university_id and u.country_id is null;

insert into university_faculties (code, name, name_local, university_id)
select 'TYPED-' || row_number() over (order by min(t.id)), (array_agg(btrim(t.institution_program) order by t.id))[1],
  (array_agg(btrim(t.institution_program) order by t.id))[1], t.university_id
from external_transfers t where fold_text(t.institution_program) <> '' group by t.university_id, fold_text(t.institution_program);
alter table external_transfers disable trigger user;
update external_transfers t set university_faculty_id = f.id from university_faculties f
where f.university_id = t.university_id and fold_text(f.name) = fold_text(t.institution_program);
alter table external_transfers enable trigger user;

alter table external_transfers alter column university_id set not null, drop column institution, drop column institution_program, drop column country_id,
  -- Deferred: where a university is merged into another, its faculties and what names them follow one after the other.
  add constraint faculty_of_another_university foreign key (university_faculty_id, university_id)
    references university_faculties (id, university_id) deferrable initially deferred;
create index external_transfers_university on external_transfers (university_id);
create index external_transfers_university_faculty on external_transfers (university_faculty_id);

-- By what a course of another university is known again: MTH 101, mth-101 and MTH101 are one.
create function elsewhere_key(university integer, code text) returns text language sql immutable strict parallel safe
return 'u' || university || '|' || regexp_replace(fold_text(code), '[-\s._/]+', '', 'g');

-- A code that stands twice in one transfer already stays, known by itself alone.
alter table equivalences disable trigger user;
update equivalences e set source_key = x.key || case when x.place > 1 then '#' || coalesce(e.split_of, e.id) else '' end
from (select e.id, elsewhere_key(t.university_id, e.source_code) as key,
    row_number() over (partition by t.id, elsewhere_key(t.university_id, e.source_code), e.split_of order by e.position, e.id) as place
  from equivalences e join external_transfers t on t.id = e.external_transfer_id where e.split_of is null) x
where coalesce(e.split_of, e.id) = x.id;
alter table equivalences enable trigger user;
alter table equivalences add constraint equivalence_typed_twice exclude using btree (external_transfer_id with =, source_key with =)
  where (external_transfer_id is not null and split_of is null) deferrable initially deferred;

-- Its courses follow a transfer to another university of the list.
create function follow_university() returns trigger language plpgsql as $$
begin
  update equivalences set source_key = 'u' || new.university_id || substr(source_key, strpos(source_key, '|')) where external_transfer_id = new.id;
  return null;
end $$;
create trigger follow_university after update of university_id on external_transfers for each row
  when (old.university_id <> new.university_id) execute function follow_university();
