-- Accounts are removed and restored from the list of users, too: by the roles that edit them.
insert into role_permissions (role_id, permission, reach)
select p.role_id, x.permission, p.reach from role_permissions p join roles r on r.id = p.role_id and r.key is not null,
  unnest(array['remove_users', 'restore_users']) as x (permission)
where p.permission = 'edit_users'
on conflict do nothing;
