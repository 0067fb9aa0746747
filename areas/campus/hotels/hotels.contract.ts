import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { bedBoardCalls } from './board/board.contract.ts'
import { bedGroup, bedGroupCalls } from './groups/group.contract.ts'
import { ownBedCalls } from './own/own.contract.ts'
import { bedClosing, hostel, hostelRoom } from './places/hostel.contract.ts'
import { roomKind } from './places/kind.contract.ts'
import { reservationFlow, reservationSteps, stayCalls } from './stays/stay.contract.ts'
import { waitingCalls } from './waiting/waiting.contract.ts'

/** Beds of the university: hostels, who asks for a bed, who is given which, and who sleeps where. */
export const hotelsArea = area({
  name: 'hotels',
  label: ['Housing', 'السكن'],
  resources: [roomKind, hostel, hostelRoom, bedClosing, bedGroup],
  calls: [
    stayCalls,
    listedCalls(reservationFlow, reservationSteps),
    waitingCalls,
    bedBoardCalls,
    bedGroupCalls,
    ownBedCalls,
  ],
  screens: [
    screen('/reservations', {
      permission: 'access_hotel',
      title: ['Reservations of beds', 'حجوزات الأسرّة'],
      menu: { group: 'services', order: 60, icon: 'bed', subject: 'hotels' },
    }),
    screen('/reservation/:id', {
      permission: 'show_hotel',
      title: ['Reservation of a bed', 'حجز سرير'],
      parent: '/reservations',
    }),
    screen('/reservations/add', {
      permission: 'add_hotel',
      title: ['Ask for a bed', 'طلب سرير'],
      parent: '/reservations',
    }),
    screen('/my_bed', {
      permission: 'ask_hotel',
      of: ['student'],
      title: ['My bed', 'سكني'],
      menu: { group: 'services', order: 60, icon: 'bed' },
    }),
  ],
  noticeGroup: 'requests',
  notices: {
    notice_stay: {
      title: ['A reservation of a bed goes on', 'تغيّر حالة حجز سرير'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_moved: {
      title: ['A stay was moved', 'تعديل إقامة'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
  },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    room_item_twice: ['This thing stands in the list already.', 'هذا البند مذكور في القائمة بالفعل.'],
    hostel_room_twice: ['The hostel has a room of this code already.', 'في مبنى السكن غرفة بهذا الكود بالفعل.'],
    hostel_bed_twice: ['The room has a bed of this code already.', 'في الغرفة سرير بهذا الكود بالفعل.'],
    hostel_bed_used: [
      'Somebody has slept in this bed: it stays in the room. Close it instead.',
      'أقام نزلاء في هذا السرير فيبقى في الغرفة. أغلقه بدلًا من حذفه.',
    ],
    bed_has_stay: ['{name} has the bed from {from} to {until}.', 'السرير مخصص لـ{name} من {from} إلى {until}.'],
    room_stays_other: [
      '{name} stays in the room from {from} to {until}, and it would be for others.',
      'يقيم {name} في الغرفة من {from} إلى {until}، وستصبح مخصصة لغيره.',
    ],
    room_stays: ['Somebody stays in the room, or will.', 'في الغرفة إقامة حالية أو قادمة.'],
    bed_closing_order: ['It is open again on a later day.', 'تُعاد الإتاحة في يوم لاحق.'],
    closing_elsewhere: ['The bed stands in another room.', 'السرير في غرفة أخرى.'],
    closing_stays: ['Somebody stays there on these days.', 'توجد إقامة في هذه الأيام.'],
    closing_has_stay: [
      '{name} stays there from {from} to {until}: move the stay first.',
      'يقيم {name} هناك من {from} إلى {until}: انقل الإقامة أولًا.',
    ],
    bed_group_order: ['The group leaves on a later day.', 'تغادر المجموعة في يوم لاحق.'],
    group_beds_short: [
      'The hostel has {free} free beds on these days, and {beds} are asked for.',
      'الأسرّة المتاحة في هذه الأيام {free}، والمطلوب {beds}.',
    ],
    group_full: ['Every bed of the group is given.', 'خُصصت كل أسرّة المجموعة.'],
    group_members: [
      '{count} members have a bed: cancel their stays first.',
      'خُصصت أسرّة لأعضاء عددهم {count}: ألغِ حجوزاتهم أولًا.',
    ],
    reservation_order: ['The guest leaves on a later day.', 'تكون المغادرة في يوم لاحق.'],
    reservation_bed: ['A stay has a bed.', 'لا إقامة بلا سرير.'],
    reservation_who: ['A reservation is for one person.', 'الحجز لشخص واحد.'],
    reservation_twice_staff: [
      'This member of staff has another reservation on these days.',
      'لهذا العامل حجز آخر في هذه الأيام.',
    ],
    reservation_twice_guest: ['The guest has another reservation on these days.', 'للضيف حجز آخر في هذه الأيام.'],
    reservation_twice: ['The student has another reservation on these days.', 'للطالب حجز آخر في هذه الأيام.'],
    reservation_other: [
      'There is a reservation on these days already: {code}, from {from} to {until}.',
      'يوجد حجز في هذه الأيام بالفعل: {code} من {from} إلى {until}.',
    ],
    bed_taken: ['Somebody was given the bed meanwhile.', 'خُصص السرير لغيره في هذه الأثناء.'],
    bed_taken_by: [
      '{name} has the bed from {from} to {until}. Choose another bed, or other days.',
      'السرير مخصص لـ{name} من {from} إلى {until}. اختر سريرًا آخر أو أيامًا أخرى.',
    ],
    bed_removed: ['The bed is not there any more.', 'لم يعد السرير موجودًا.'],
    bed_closed: ['The bed is closed on these days.', 'السرير مغلق في هذه الأيام.'],
    bed_gender: ['The room is for others.', 'الغرفة مخصصة لغيره.'],
    bed_gender_unknown: [
      'Enter the gender first: the room is for men or for women.',
      'أدخل النوع أولًا: الغرفة للرجال أو للنساء.',
    ],
    bed_audience: ['The room is for guests of another kind.', 'الغرفة مخصصة لفئة أخرى من النزلاء.'],
    bed_faculty: ['The room is for another faculty.', 'الغرفة مخصصة لكلية أخرى.'],
    bed_level: ['The room is for level {level}.', 'الغرفة مخصصة للمستوى {level}.'],
    bed_none_free: ['No bed that fits is free on these days.', 'لا يوجد سرير مناسب متاح في هذه الأيام.'],
    bed_not_the_turn: [
      'Others come first, and are given the beds that are free.',
      'يسبقه آخرون في الترتيب وتُخصص لهم الأسرّة المتاحة.',
    ],
    bed_mate_twice: ['This student is wished for already.', 'هذا الطالب مذكور بالفعل.'],
    bed_damage_twice: ['This thing is charged already.', 'هذا البند محسوب بالفعل.'],
    damage_elsewhere: ['This does not stand in the room.', 'هذا ليس من محتويات الغرفة.'],
    stay_whose: [
      'The guest has a name alone. Say first which record he or she has, so that somebody is charged.',
      'النزيل مسجل بالاسم فقط. حدد سجله أولًا حتى تُحصل منه التلفيات.',
    ],
    stay_named: ['The stay has a record of its guest already.', 'لهذه الإقامة سجل نزيل بالفعل.'],
    hostel_elsewhere: ['Choose a hostel within your reach.', 'اختر مبنى سكن ضمن صلاحيتك.'],
    stay_for_whom: [
      'Choose one: a student, a member of staff or a guest.',
      'اختر واحدًا: طالبًا أو عاملًا بالجامعة أو ضيفًا.',
    ],
    member_for_whom: ['Choose a student, or write the name of a guest.', 'اختر طالبًا أو اكتب اسم ضيف.'],
    stay_staff_left: ['This person does not work here any more.', 'لم يعد هذا الشخص يعمل هنا.'],
    stay_no_term: ['Choose the term.', 'اختر الفصل الدراسي.'],
    stay_days: ['The day of leaving is after the first night.', 'يوم المغادرة بعد أول ليلة.'],
    stay_past: ['The day is over: today is {today}.', 'مضى هذا اليوم: اليوم {today}.'],
    stay_long: ['A stay lasts {most} nights at most.', 'أقصى مدة للإقامة {most} ليلة.'],
    stay_over: ['The days are over: until {until}.', 'انتهت الأيام في {until}.'],
    stay_left: ['The student does not study here now.', 'الطالب غير مقيد حاليًا.'],
    stay_nobody: ['Give the bed to a member of the group first.', 'خصص السرير لعضو من المجموعة أولًا.'],
    stay_early: ['The stay begins on {from}.', 'تبدأ الإقامة في {from}.'],
    stay_begun: ['The stay began on {from}: ask the housing office.', 'بدأت الإقامة في {from}: راجع إدارة السكن.'],
    stay_awaited: ['The guest is awaited until {day}.', 'يُنتظر حضور النزيل حتى {day}.'],
    stay_occupied: [
      '{name} has not left the bed, and was to leave on {until}.',
      'لم يُخلِ {name} السرير بعد، وكان موعد المغادرة {until}.',
    ],
    stay_unpaid: ['Invoice {number} is paid first.', 'تُسدد الفاتورة {number} أولًا.'],
    stay_not_movable: ['Only a stay that holds a bed is moved.', 'تُنقل الإقامات التي تشغل سريرًا فقط.'],
    stay_inside: ['The guest is there already: the first night stays.', 'النزيل مقيم بالفعل، فلا تتغير أول ليلة.'],
    stay_holds_bed: ['It holds a bed: cancel it first.', 'الحجز يشغل سريرًا: ألغِه أولًا.'],
    stay_waits_no_more: ['It does not wait any more.', 'لم يعد الحجز قيد الانتظار.'],
    mate_unknown: ['There is no student {code}.', 'لا يوجد طالب بالكود {code}.'],
    mate_self: ['This is your own code.', 'هذا كود صاحب الطلب نفسه.'],
  },
})
