-- The file of a paper is the program's: whoever issued it opens it where papers are opened, and is counted there.
update files f set created_by = null where created_by is not null and exists (select from papers p where p.file_id = f.id);
