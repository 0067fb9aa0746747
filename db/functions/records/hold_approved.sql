create or replace function hold_approved(ids integer[]) returns void language sql as 'select hold_result(ids)';
