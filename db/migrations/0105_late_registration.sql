-- An item that comes by itself to those alone who register late.
alter table fee_items add column late_only boolean not null default false,
  add constraint fee_item_late check (late_only <= is_automatic);
install function keep_fee_item, registered_late;
drop trigger keep_item on fee_items;
create trigger keep_item before update of type, is_automatic, late_only on fee_items for each row execute function keep_fee_item();
