-- Refuses in the shape that the server answers: a code, and what its text tells as JSON.
create or replace function refuse_by_control(held_offering integer, held_status text, changed text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'UE409', message = 'control_holds', detail = (
    select json_build_object('offering_id', held_offering, 'course', c.code, 'kind', changed, 'control_status', held_status,
      'status', held_status, 'status_local', case held_status when 'Submitted' then 'مسلَّمة' when 'Reviewed' then 'مراجَعة'
        when 'Approved' then 'معتمدة' when 'Published' then 'معلنة' else 'مجمَّدة' end,
      'to', 'Draft', 'to_local', 'مسودة', 'to_status', 'Draft',
      'steps', array_position(array['Submitted', 'Reviewed', 'Approved', 'Published', 'Frozen'], held_status))
    from offerings o join courses c on c.id = o.course_id where o.id = held_offering)::text;
end $$;
