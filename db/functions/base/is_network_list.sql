create or replace function is_network_list(list text) returns boolean language plpgsql immutable as $$
begin
  perform string_to_array(regexp_replace(list, '\s', '', 'g'), ',')::cidr[];
  return true;
exception when others then
  return false;
end $$;
