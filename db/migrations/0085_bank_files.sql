-- Files of banks in OFX and QIF; and what the bank calls the entry of which a line is a part: what one file tells as a whole and
-- another in parts is booked once.
alter table batches drop constraint batches_format_check;
alter table batches add constraint batches_format_check check (format in ('csv', 'xlsx', 'camt', 'mt940', 'ofx', 'qif'));
alter table batch_lines add column entry_reference text;
create index batch_lines_entry_reference on batch_lines (bank_id, entry_reference) where live and entry_reference is not null;
