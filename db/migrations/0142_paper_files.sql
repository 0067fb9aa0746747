-- A credential is put into the file of its paper, so its place in the list is taken just before the paper is kept.
alter table paper_credentials drop constraint paper_credentials_paper_id_fkey,
  add constraint paper_credentials_paper_id_fkey foreign key (paper_id) references papers deferrable initially deferred;
