-- Whether the desk may issue what a type of certificate prints at once, without the signatures of the type. As it was before, it may where types are there already.
alter table certificate_settings add column desk_at_once boolean not null default false;
update certificate_settings set desk_at_once = true where document <> 'text';
