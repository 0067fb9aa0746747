-- Papers that were issued: what a person takes away and shows elsewhere. Each has a serial number, a code by which anybody
-- who holds it can ask whether it is genuine, and the file as it was issued, with its hash.

create table papers (
  id integer generated always as identity primary key,
  -- What it is (`transcript`), as its declaration names it, and the record it is about: `student` and the student's id.
  kind text not null,
  subject text not null,
  subject_id integer not null,
  lang text not null constraint papers_lang check (lang in ('ar', 'en')),
  serial text not null constraint papers_serial_key unique,
  -- What the QR code leads to: 100 random bits in the letters of Crockford's base 32.
  code text not null constraint papers_code_key unique
    constraint papers_code check (code ~ '^[0-9A-HJKMNP-TV-Z]{20}$'),
  -- As they were on that day: names change, papers do not.
  title text not null,
  title_local text not null,
  holder text not null,
  holder_local text not null,
  -- [{label, label_local, value, value_local}], shown to who verifies it.
  facts jsonb not null,
  -- How much of it the holder lets be seen.
  disclosure text not null constraint papers_disclosure check (disclosure in ('everything', 'name', 'nothing')),
  file_id integer not null references files,
  sha256 text not null constraint papers_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
  issued_at timestamptz not null default now(),
  -- null: the program itself.
  issued_by integer references users,
  revoked_at timestamptz,
  revoked_by integer references users,
  revoked_reason text,
  constraint papers_revoked check ((revoked_at is null) = (revoked_reason is null))
);
create index papers_subject on papers (subject, subject_id, id desc);
create index papers_file on papers (file_id);
create index papers_issued_by on papers (issued_by);
create index papers_revoked_by on papers (revoked_by);

-- Issued is issued: only who may see what changes, and revoking, once.
create function keep_paper() returns trigger language plpgsql as $$
declare
  open text[] := array['disclosure', 'revoked_at', 'revoked_by', 'revoked_reason'];
begin
  if tg_op = 'DELETE' or to_jsonb(new) - open <> to_jsonb(old) - open then
    raise exception 'An issued paper stays as it is' using errcode = 'insufficient_privilege';
  end if;
  if old.revoked_at is not null
    and (new.revoked_at, new.revoked_by, new.revoked_reason) is distinct from (old.revoked_at, old.revoked_by, old.revoked_reason) then
    raise exception 'A revoked paper stays revoked' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger kept before update or delete on papers for each row execute function keep_paper();
create trigger kept_truncate before truncate on papers for each statement execute function keep_paper();

-- The file of a paper is never another one.
create function keep_paper_file() returns trigger language plpgsql as $$
begin
  if exists (select from papers where file_id = old.id) then
    raise exception 'The file of an issued paper stays as it is' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger paper_kept before update of hash, size, mime, ext on files
  for each row when ((old.hash, old.size, old.mime, old.ext) is distinct from (new.hash, new.size, new.mime, new.ext))
  execute function keep_paper_file();

select audit_table('papers');
