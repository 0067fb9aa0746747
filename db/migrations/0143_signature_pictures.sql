-- How somebody's signature looks on papers: kept by that person alone.
create table signature_pictures (
  user_id integer primary key references users,
  file_id integer not null references files,
  updated_at timestamptz not null default now()
);
create index signature_pictures_file on signature_pictures (file_id);
select audit_table('signature_pictures');

alter table certificate_settings add column signature_pictures boolean not null default false;
-- The picture of that day; null: somebody stood in, or there was none.
alter table certificate_signatures add column picture_id integer references files;
create index certificate_signatures_picture on certificate_signatures (picture_id);
