-- Whether a paper of the offering has, or had, a mark.
create or replace function exam_marking_began(of integer) returns boolean language sql stable as $$
  select exists (select from exam_barcodes b where b.offering_id = of and (b.version > 1 or b.absent or b.mark is not null))
$$;
