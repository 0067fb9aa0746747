-- A directory may say the whole of a name beside its parts; it is told again as it was said.
alter table scim_people add column formatted text;
