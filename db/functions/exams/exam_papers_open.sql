-- Control approves an offering when the papers of its final exam are back: delivered = present = returned, or explained.
create or replace function exam_papers_open(of integer) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('hall', p.code, 'delivered', coalesce(x.delivered, 0), 'present', x.present,
      'returned', coalesce(x.returned, 0)) order by p.code), '[]')
  from exam_papers x join locations p on p.id = x.location_id
  where x.offering_id = of and x.final and x.state in ('waiting', 'delivered', 'differs')
$$;
