-- CSC101 and csc101 are one code: people type both and mean the same. Doubles that are there already stay and are told, the first of
-- each keeps its code to itself; somebody gives the others another one. Barcodes and the codes of papers are drawn: there a letter
-- of another case is another code.
create or replace function one_code_in_any_case(name text) returns void language plpgsql as $$
declare
  doubles record;
  spared integer[] := '{}';
begin
  for doubles in execute format('select array_agg(id order by id) as ids, array_agg(code order by id) as codes from %I group by lower(code) having count(*) > 1', name) loop
    for i in 2 .. array_length(doubles.ids, 1) loop
      raise warning 'In %, the code % (%) beside % (%) differs by case alone', name, doubles.codes[i], doubles.ids[i], doubles.codes[1], doubles.ids[1];
      spared := spared || doubles.ids[i];
    end loop;
  end loop;
  execute format('create unique index %I on %I (lower(code))%s', name || '_code_in_any_case', name,
    case when spared = '{}' then '' else format(' where id <> all (%L::integer[])', spared) end);
end $$;
