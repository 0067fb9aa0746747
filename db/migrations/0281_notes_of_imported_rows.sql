-- What saving a row of a sheet means beyond what it says, told before it is saved: [{code, en, ar, data}].
alter table import_rows add notes jsonb not null default '[]';
