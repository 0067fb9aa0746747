import { area, screen } from '#kit/contract/index.ts'
import { serviceKind, serviceKindCalls } from './kinds/kind.contract.ts'
import { service, serviceCalls } from './requests/service.contract.ts'

/** Services: what students and staff ask offices for, along a chain of offices with days for each. */
export const servicesArea = area({
  name: 'services',
  label: ['Services', 'الخدمات'],
  resources: [serviceKind, service],
  calls: [serviceKindCalls, serviceCalls],
  screens: [
    screen('/services/:id', {
      permission: ['show_service', 'ask_service_as_staff'],
      title: ['Service request', 'طلب خدمة'],
      parent: '/services',
    }),
    screen('/other/edit/:id', {
      permission: ['add_service', 'ask_service_as_staff'],
      title: ['Correct my request', 'تصحيح طلبي'],
      parent: '/services',
    }),
  ],
  noticeGroup: 'requests',
  notices: {
    notice_moved: {
      title: ['A service request goes to the next office', 'انتقال طلب خدمة إلى المكتب التالي'],
      audience: [1, 2, 3],
      app: 'on',
      mail: 'off',
    },
    notice_overdue: {
      title: ['A service request of my office is overdue', 'تأخر طلب خدمة لدى مكتبي'],
      audience: [1, 2],
      app: 'always',
      mail: 'digest',
    },
    notice_late: {
      title: ['A service request has been overdue for days', 'طلب خدمة متأخر منذ أيام'],
      audience: [1, 2],
      app: 'always',
      mail: 'digest',
    },
  },
  errors: {
    service_not_offered: ['This service cannot be asked for now.', 'لا يمكن طلب هذه الخدمة الآن.'],
    service_not_for_you: ['This service is not for this person.', 'هذه الخدمة ليست لهذا الشخص.'],
    service_left: ['Who asks has left the university.', 'غادر مقدم الطلب الجامعة.'],
    service_whose: ['Give a student or a member of staff, not both.', 'حدد طالبًا أو عاملًا، لا كليهما.'],
    service_held: ['An invoice is overdue: it is paid first.', 'توجد فاتورة متأخرة السداد وتُسدد أولًا.'],
    service_asked_twice: ['A request for this service is on its way already.', 'يوجد طلب لهذه الخدمة قيد التنفيذ.'],
    service_sent_already: ['This request was sent already.', 'سبق إرسال هذا الطلب.'],
    service_asked_by_staff: ['A request for this service is on its way already.', 'يوجد طلب لهذه الخدمة قيد التنفيذ.'],
    service_sent_by_staff: ['This request was sent already.', 'سبق إرسال هذا الطلب.'],
    service_answer_text: ['Write this as a text.', 'اكتب هذا نصًا.'],
    service_answer_long: ['At most {max} letters.', 'بحد أقصى {max} حرفًا.'],
    service_answer_number: ['Give a number.', 'أدخل رقمًا.'],
    service_answer_date: ['Give a day that is in the calendar.', 'أدخل يومًا موجودًا في التقويم.'],
    service_answer_choice: ['Choose one of the options.', 'اختر واحدًا من الاختيارات.'],
    service_answer_file: ['Hand in a file.', 'أرفق ملفًا.'],
    service_answer_unknown: ['This service does not ask for it.', 'لا تطلب هذه الخدمة ذلك.'],
    service_file_kind: ['{name}: only {kinds} are taken.', '{name}: المقبول هو {kinds} فقط.'],
    service_file_large: ['{name} is larger than {max} MB.', 'حجم {name} أكبر من {max} ميجابايت.'],
    service_not_your_turn: ['It is the turn of {office}.', 'الدور الآن على {office_local}.'],
    service_last_office: ['No office comes after this one: answer it.', 'لا يوجد مكتب بعد هذا: أنجز الطلب بالرد.'],
    service_not_last_office: ['Other offices come after this one: pass it on.', 'توجد مكاتب بعد هذا: حوّل الطلب إليها.'],
    service_unpaid: ['Invoice {number} is not paid.', 'الفاتورة {number} غير مدفوعة.'],
    service_paid_later: ['It is paid later: the work goes on.', 'يُسدد لاحقًا ويستمر العمل.'],
    service_kind_audience: ['Say for whom it is.', 'حدد لمن هي.'],
    service_offices_missing: ['Name the offices that work on it.', 'حدد المكاتب التي تنفذها.'],
    service_step_office: ['Give a role or one person, not both.', 'حدد دورًا أو شخصًا واحدًا، لا كليهما.'],
    service_office_right: [
      '{office}: whoever holds it has no right to work on service requests.',
      '{office_local}: ليس لمن يشغله حق العمل في طلبات الخدمات.',
    ],
    service_options_few: [
      '{name}: give two options at least, one line each.',
      '{name}: أدخل اختيارين على الأقل، كل اختيار في سطر.',
    ],
    service_option_twice: ['{name}: an option stands there twice.', '{name}: يوجد اختيار مكرر.'],
    service_options_needless: ['{name}: only a choice has options.', '{name}: الاختيارات لحقل الاختيار فقط.'],
    service_field_options: ['A choice has options, other fields have none.', 'لحقل الاختيار اختيارات، وليس لغيره.'],
    service_field_twice: ['There is a field of this label already.', 'يوجد حقل بهذا العنوان بالفعل.'],
  },
})
