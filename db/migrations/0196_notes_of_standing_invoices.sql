-- A note belongs to an invoice that stands: one that is reversed would charge again, beside lines that count no more.
install function keep_noted_invoice;
create trigger keep_noted_invoice before insert on invoice_notes for each row execute function keep_noted_invoice();
