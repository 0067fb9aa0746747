-- No more papers come back than went into the hall. What was counted before stays.
alter table exam_deliveries add constraint papers_more_than_out check (returned <= delivered) not valid;
