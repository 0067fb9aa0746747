-- A right says which reaches it knows; another one opens nothing any more, whoever wrote it. What stands in roles and entries by a
-- reach that counts for nothing goes, so that what one reads there is what holds. It goes by the audit trail: the history of each
-- role tells what was taken from it. Nobody gains anything by this.

-- What concerns nobody but its holder was given everywhere, and meant the own all the time.
update role_permissions set reach = 'own'
where reach = 'scope' and permission = any('{ask_ticket,use_chat,access_my_offerings,access_my_advising,show_my_schedule,
    access_student}'::text[]);

-- Advisors look up tags, which belong to the whole university; they put them on the students they advise.
update role_permissions p set reach = 'scope' from roles r
where r.id = p.role_id and r.key = 'academic_advisor' and p.permission in ('access_tag', 'show_tag') and p.reach = 'advised';

delete from role_permissions where reach = 'own' and not permission = any('{access_instructor,show_instructor,add_instructor,edit_instructor,remove_instructor,
    restore_instructor,export_instructor,import_instructor,access_registration,show_registration,
    add_registration,edit_registration,remove_registration,restore_registration,export_registration,
    import_registration,access_officeHour,show_officeHour,add_officeHour,edit_officeHour,
    remove_officeHour,restore_officeHour,export_officeHour,import_officeHour,access_students,
    show_students,add_students,edit_students,remove_students,restore_students,
    export_students,import_students,access_excuse,show_excuse,add_excuse,
    decide_excuse,export_excuse,access_transaction,pay_online,access_slip,
    access_payment,show_statement,access_transfer,ask_transfer,ask_ticket,
    use_chat,handle_ticket,ask_recheck,access_my_offerings,access_my_advising,
    show_my_schedule,access_student}'::text[]);
delete from role_permissions where reach = 'taught' and not permission = any('{access_offering,show_offering,add_offering,edit_offering,remove_offering,
    restore_offering,export_offering,import_offering,access_registration,show_registration,
    add_registration,edit_registration,remove_registration,restore_registration,export_registration,
    import_registration,access_students,show_students,add_students,edit_students,
    remove_students,restore_students,export_students,import_students,access_attendance,
    take_attendance,access_examSeat,enter_marks,import_grades,export_grades,
    submit_control,access_control,mark_by_barcode,ask_correction,access_recheck,
    edit_offering_team,edit_offering_slots,access_schedule,show_student_record}'::text[]);
delete from role_permissions where reach = 'advised' and not permission = any('{access_placementResult,show_placementResult,add_placementResult,edit_placementResult,remove_placementResult,
    restore_placementResult,export_placementResult,import_placementResult,access_registration,show_registration,
    add_registration,edit_registration,remove_registration,restore_registration,export_registration,
    import_registration,access_students,show_students,add_students,edit_students,
    remove_students,restore_students,export_students,import_students,access_excuse,
    show_excuse,add_excuse,decide_excuse,export_excuse,access_payment,
    grant_exception,access_degree_audits,access_transfer,ask_transfer,access_attendance,
    access_advising,request_registration,accept_registration,withdraw_registration,override_registration_rule,
    access_student_specialization,edit_specialization_preferences,edit_student_notes,show_student_private,show_student_record,
    print_transcript,attach_tag}'::text[]);

-- What belongs to the university alone has no share for a part of it.
delete from access_entries where permission = any('{access_role,show_role,add_role,edit_role,remove_role,
    restore_role,export_role,import_role,access_hijri_month,show_hijri_month,
    add_hijri_month,edit_hijri_month,remove_hijri_month,restore_hijri_month,export_hijri_month,
    import_hijri_month,require_second_factor,set_directories,set_single_sign_on,assign_super_admin,
    import_oneroster,change_ramadan_time,access_security_log,edit_university,work_in_maintenance,
    access_deployment,access_development,edit_retention,set_current_terms}'::text[]);
