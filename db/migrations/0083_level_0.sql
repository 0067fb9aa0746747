-- Bylaws have levels from 0 (a preparatory one): prices, days and scholarships can name it too.
alter table fee_prices drop constraint fee_prices_level_check, add constraint fee_prices_level_check check (level between 0 and 12);
alter table fee_due_dates drop constraint fee_due_dates_level_check,
  add constraint fee_due_dates_level_check check (level between 0 and 12);
alter table scholarships drop constraint scholarships_level_check,
  add constraint scholarships_level_check check (level between 0 and 12);
