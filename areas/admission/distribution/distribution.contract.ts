import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { resultOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { distributionResultCalls } from './results/result.contract.ts'
import { distributionRunCalls, distributionFlow, distributionRun, distributionSteps } from './runs/run.contract.ts'

/** Distribution: applicants are given programs by their preferences and the programs' rankings. */
export const distributionArea = area({
  name: 'distribution',
  fills: [resultOfApplication],
  label: ['Distribution of applicants', 'توزيع المتقدمين'],
  resources: [distributionRun],
  calls: [distributionRunCalls, distributionResultCalls, listedCalls(distributionFlow, distributionSteps)],
  screens: [
    screen('/distribution_applicants', {
      permission: 'access_distribution',
      title: ['Distribution', 'التنسيق'],
      menu: { group: 'admission', order: 30, icon: 'arrows-split-2', subject: 'admission' },
    }),
    screen('/distribution_applicants_pg', {
      permission: 'access_distribution',
      title: ['Distribution of postgraduates', 'تنسيق الدراسات العليا'],
      menu: { group: 'admission', order: 31, icon: 'arrows-split-2', subject: 'admission' },
    }),
    screen('/transfered_distribution', {
      permission: 'access_distribution',
      title: ['Distribution of transfers', 'تنسيق المحولين'],
      menu: { group: 'admission', order: 32, icon: 'arrows-split-2', subject: 'admission' },
    }),
    screen('/applicants/seat/:id', {
      permission: 'assign_applicant',
      title: ['Seat of an applicant', 'مقعد متقدم'],
      parent: '/applicants',
    }),
  ],
  errors: {
    distribution_admission_open: [
      'People can still apply in this admission: confirm once it has closed.',
      'ما زال التقديم مفتوحًا في فترة القبول هذه: اعتمد بعد إغلاقها.',
    ],
    distribution_nobody: ['Nobody was given a seat.', 'لم يحصل أحد على مقعد.'],
    distribution_nobody_waits: [
      'Nobody in this admission waits for a seat: take applications to the distribution first.',
      'لا أحد ينتظر مقعدًا في فترة القبول هذه: رشّح الطلبات للتنسيق أولًا.',
    ],
    distribution_under_way: ['This admission is being distributed already.', 'تنسيق فترة القبول هذه جارٍ بالفعل.'],
    distribution_outdated: [
      'Applicants, seats or conditions have changed since this preview: distribute again.',
      'تغير المتقدمون أو الأماكن أو الشروط منذ هذه المعاينة: أعد التنسيق.',
    ],
    distribution_seats_offered: [
      '{count} of those who were given a seat have gone on with it: change these seats one by one.',
      'مضى {count} ممن حصلوا على مقعد في إجراءاتهم: غيّر مقاعدهم كلًّا على حدة.',
    ],
    distribution_not_in_run: ['This applicant was not in the distribution.', 'لم يكن هذا المتقدم ضمن التنسيق.'],
    distribution_places_gone: [
      'The preview was discarded, and its places with it.',
      'استُبعدت المعاينة، ومعها نتائجها.',
    ],
    distribution_place_kept: ['What a distribution gave stays as it was given.', 'يبقى ما أعطاه التنسيق كما هو.'],
    seat_same: ['This is the program that the applicant has.', 'هذا هو البرنامج المخصص للمتقدم بالفعل.'],
    seat_equivalent: [
      'The equivalence was done for the program that the applicant has.',
      'تمت المعادلة للبرنامج المخصص للمتقدم.',
    ],
    seat_not_offered: ['This admission does not offer the program.', 'هذا البرنامج غير متاح في فترة القبول.'],
    seat_none: ['No seat is left.', 'لم يبق مقعد.'],
    seat_group_full: ['No more of the group of this applicant are admitted.', 'لا يُقبل المزيد من فئة هذا المتقدم.'],
    seat_reserved: ['The {seats} seats that are left are reserved.', 'الأماكن المتبقية ({seats}) محجوزة.'],
    seat_no_wish: ['There is no wish {preference}.', 'لا توجد رغبة رقم {preference}.'],
    admission_not_offered: ['This program is not offered.', 'هذا البرنامج غير متاح.'],
    admission_not_ranked: [
      'A condition of the program is not met, so it does not rank this applicant.',
      'لم يُستوفَ أحد شروط البرنامج، فلا ترتيب للمتقدم فيه.',
    ],
    admission_no_seats: ['The program has no seats.', 'لا مقاعد في هذا البرنامج.'],
    admission_rank: [
      'Rank {rank}: the last who was admitted to a seat open to everybody had rank {last}.',
      'الترتيب {rank}، وآخر من قُبل على مقعد متاح للجميع ترتيبه {last}.',
    ],
    admission_all_reserved: [
      'Rank {rank}: all {seats} seats are reserved for groups, and were filled by them.',
      'الترتيب {rank}، وجميع المقاعد ({seats}) محجوزة لفئات وقد شغلتها.',
    ],
    admission_reserved_filled: [
      'The seats reserved for {group} ({reserved}) are filled: the last of the group who was admitted had rank {last}.',
      'شُغلت المقاعد المحجوزة لفئة {group} ({reserved})، وآخر من قُبل منها ترتيبه {last}.',
    ],
    admission_group_maximum: [
      'Rank {rank}: no more of the group {group} are admitted than {maximum}, and the last of them had rank {last}.',
      'الترتيب {rank}، ولا يُقبل من فئة {group} أكثر من {maximum}، وآخرهم ترتيبه {last}.',
    ],
    admission_group_none: [
      'Nobody of the group {group} is admitted to this program.',
      'لا يُقبل أحد من فئة {group} في هذا البرنامج.',
    ],
    ranking_weight_wrong: [
      'A weight is a number from 0 with four places at most.',
      'الوزن عدد لا يقل عن صفر وبأربع خانات عشرية على الأكثر.',
    ],
    ranking_weights_sum: [
      'The weights add up to {sum}, and have to add up to 1.',
      'مجموع الأوزان {sum}، ويجب أن يكون 1.',
    ],
    ranking_subject_twice: ['{school_subject} has a weight already.', 'يوجد وزن بالفعل لـ{school_subject}.'],
    ranking_tie_twice: [
      'A rule for equal applicants stands twice: the second would decide nothing.',
      'إحدى قواعد التساوي مكررة، ولن تحسم الثانية شيئًا.',
    ],
    ranking_no_lottery: [
      'The rules for equal applicants have to end with the lottery: nothing else tells any two of them apart.',
      'يجب أن تنتهي قواعد التساوي بالقرعة، فلا شيء غيرها يفصل بين كل متساويين.',
    ],
    ranking_after_lottery: [
      'A rule after the lottery would decide nothing: put the lottery last.',
      'لن تحسم قاعدة بعد القرعة شيئًا: اجعل القرعة في الآخر.',
    ],
    ranking_no_seed: [
      'The lottery needs a seed, which is published before it is drawn.',
      'تحتاج القرعة إلى قيمة بدء تُعلن قبل إجرائها.',
    ],
    ranking_equal: [
      'The applications {one} and {other} are equal by every rule: add one that tells them apart.',
      'الطلبان {one} و{other} متساويان بكل القواعد: أضف قاعدة تفصل بينهما.',
    ],
    ranking_certificate: [
      'The program asks for {needed} % in the certificate; it is {value} %.',
      'يشترط البرنامج نسبة {needed} % في الشهادة، والنسبة {value} %.',
    ],
    ranking_no_certificate: ['The percentage of the certificate is missing.', 'النسبة المئوية للشهادة غير مسجلة.'],
    ranking_exam: [
      'The program asks for {needed} % in the admission exam; the result is {value} %.',
      'يشترط البرنامج {needed} % في اختبار القبول، والنتيجة {value} %.',
    ],
    ranking_no_exam: ['The result of the admission exam is missing.', 'نتيجة اختبار القبول غير مسجلة.'],
    ranking_subject: [
      'The program asks for {needed} % in {school_subject}; the mark is {value} %.',
      'يشترط البرنامج {needed} % في {school_subject}، والدرجة {value} %.',
    ],
    ranking_no_subject: ['The mark in {school_subject} is missing.', 'درجة {school_subject} غير مسجلة.'],
    ranking_no_birth_date: ['The birth date is missing.', 'تاريخ الميلاد غير مسجل.'],
    ranking_too_young: [
      'The program asks for an age of {needed} years or more on {on}; the applicant is {years} then.',
      'يشترط البرنامج ألا تقل السن عن {needed} في {on}، وسن المتقدم حينها {years}.',
    ],
    ranking_too_old: [
      'The program asks for an age of {needed} years or less on {on}; the applicant is {years} then.',
      'يشترط البرنامج ألا تزيد السن على {needed} في {on}، وسن المتقدم حينها {years}.',
    ],
    ranking_certificate_type: [
      'The program admits these certificates: {allowed}.',
      'يقبل البرنامج هذه الشهادات: {allowed}.',
    ],
    ranking_nationality_group: [
      'The program admits these groups of nationalities: {allowed}.',
      'يقبل البرنامج مجموعات الجنسيات هذه: {allowed}.',
    ],
    ranking_gender: ['The program does not admit applicants of this gender.', 'لا يقبل البرنامج متقدمين من هذا النوع.'],
  },
})
