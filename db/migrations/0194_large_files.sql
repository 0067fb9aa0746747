-- A pack of a program may be larger than 2 GB. Bytes are whole numbers that JavaScript holds exactly, and reads as numbers: a
-- bigint would arrive as text everywhere. The table is written once anew, a few seconds where there are hundreds of thousands.
drop trigger paper_kept on files;
alter table files alter column size type double precision,
  add constraint files_size_whole check (size = trunc(size) and size < 9007199254740992);
create trigger paper_kept before update of hash, size, mime, ext on files
  for each row when ((old.hash, old.size, old.mime, old.ext) is distinct from (new.hash, new.size, new.mime, new.ext))
  execute function keep_paper_file();
