-- People are found by their staff number, and those whose name begins as typed come first: number and name begin the text.
create or replace function search_text_of_account() returns trigger language plpgsql as $$
begin
  new.search_text := fold_text(concat_ws(' ', new.code, new.name, new.name_local, new.used_name, new.used_name_local, new.email));
  return new;
end $$;
