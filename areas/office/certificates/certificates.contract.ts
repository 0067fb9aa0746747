import { papersOfApplicant } from '#areas/admission/applicants/outlets.contract.ts'
import { papersOfTransfer } from '#areas/enrolment/transfers/outlets.contract.ts'
import { papersOfWorker } from '#areas/people/people/outlets.contract.ts'
import { papersFromElsewhere } from '#areas/records/students/outlets.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { certificateDate, dateCalls } from './dates/date.contract.ts'
import { elsewhereCalls, elsewhereFlow, externalPaper, elsewhereSteps } from './external/external.contract.ts'
import { paperIssuer } from './external/issuer.contract.ts'
import { nameChange, nameChangeCalls } from './names/name-change.contract.ts'
import { signingPosition } from './positions/position.contract.ts'
import { handingCalls } from './handing/handing.contract.ts'
import { signatureCalls } from './positions/signature.contract.ts'
import { graduateCalls } from './graduates/ask.contract.ts'
import { graduateDeskCalls, graduateFlow, graduateRequest, graduateSteps } from './graduates/graduate.contract.ts'
import { certificate, certificateCalls } from './requests/certificate.contract.ts'
import { certificatePapers, staffCertificates, staffPapers } from './requests/paper.contract.ts'
import { certificateSetting, typeCalls } from './types/type.contract.ts'

/** Certificates: what people ask the university to put on paper, and who signs it. */
export const certificatesArea = area({
  name: 'certificates',
  label: ['Certificates', 'الشهادات'],
  resources: [
    certificate,
    certificateSetting,
    certificateDate,
    signingPosition,
    nameChange,
    paperIssuer,
    externalPaper,
    graduateRequest,
  ],
  calls: [
    typeCalls,
    dateCalls,
    certificateCalls,
    signatureCalls,
    handingCalls,
    nameChangeCalls,
    elsewhereCalls,
    listedCalls(elsewhereFlow, elsewhereSteps),
    graduateDeskCalls,
    graduateCalls,
    listedCalls(graduateFlow, graduateSteps),
  ],
  papers: [certificatePapers, staffPapers, staffCertificates],
  fills: [papersFromElsewhere, papersOfApplicant, papersOfTransfer, papersOfWorker],
  screens: [
    screen('/certificates/show/:id', {
      permission: ['show_certificate', 'ask_certificate_as_staff'],
      title: ['Certificate', 'شهادة'],
      parent: '/certificates',
    }),
    screen('/certificates/update/:id', {
      permission: 'edit_certificate',
      title: ['Change a certificate', 'تعديل شهادة'],
      parent: '/certificates',
    }),
    screen('/certificates/sign', {
      permission: 'sign_certificate',
      title: ['Sign certificates', 'توقيع الشهادات'],
      parent: '/certificates',
      menu: { group: 'services', order: 11, icon: 'signature', subject: 'certificates', tab: ['To sign', 'للتوقيع'] },
    }),
    screen('/certificates/hand_over', {
      permission: 'edit_certificate',
      title: ['Hand over certificates', 'تسليم الشهادات'],
      parent: '/certificates',
      menu: {
        group: 'services',
        order: 12,
        icon: 'certificate',
        subject: 'certificates',
        tab: ['To hand over', 'للتسليم'],
      },
    }),
    screen('/certificates/external/add', {
      permission: 'edit_externalPaper',
      title: ['Register a paper', 'تسجيل وثيقة'],
      parent: '/certificates/external',
    }),
    screen('/external-answer', {
      permission: 'public',
      title: ['Is this paper genuine?', 'هل هذه الوثيقة صحيحة؟'],
      layout: 'full',
      light: [],
    }),
    screen('/certificates/graduate', {
      permission: 'public',
      layout: 'full',
      light: ['/certificates/graduate/types'],
      title: ['Certificates for graduates', 'شهادات الخريجين'],
    }),
    screen('/certificates/graduate/paid', {
      permission: 'public',
      layout: 'full',
      light: [],
      title: ['Back from paying', 'العودة من الدفع'],
    }),
    screen('/certificates/graduate/:id/:secretKey', {
      permission: 'public',
      layout: 'full',
      light: ['/certificates/graduate/{id}/{secretKey}'],
      title: ['Request for a certificate', 'طلب شهادة'],
    }),
    screen('/services/certification', {
      permission: ['access_student', 'ask_certificate_as_staff'],
      title: ['My certificates', 'شهاداتي'],
      menu: { group: 'services', order: 13, icon: 'certificate', subject: 'certificates' },
    }),
    screen('/services/certification/add', {
      permission: ['access_student', 'ask_certificate_as_staff'],
      title: ['Ask for a certificate', 'طلب شهادة'],
      parent: '/services/certification',
    }),
    screen('/services/certification/edit/:id', {
      permission: ['access_student', 'ask_certificate_as_staff'],
      title: ['Change my request', 'تعديل طلبي'],
      parent: '/services/certification',
    }),
  ],
  noticeGroup: 'requests',
  notices: {
    notice_overdue: {
      title: ['A certificate waits too long for me', 'شهادة تأخرت عندي'],
      audience: [1, 2],
      app: 'always',
      mail: 'digest',
    },
    notice_late: {
      title: ['A certificate has waited too long for days', 'شهادة متأخرة منذ أيام'],
      audience: [1, 2],
      app: 'always',
      mail: 'digest',
    },
    notice_no_answer: {
      title: ['An issuer does not answer', 'جهة إصدار لم ترد'],
      audience: [1, 2],
      app: 'always',
      mail: 'digest',
    },
    notice_vacant: {
      title: ['Nobody holds a position that is to sign', 'وظيفة توقيع لا يشغلها أحد'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
  },
  errors: {
    certificate_not_offered: ['This type cannot be asked for now.', 'لا يمكن طلب هذا النوع الآن.'],
    certificate_not_for_you: ['This type is not for this person.', 'هذا النوع ليس لهذا الشخص.'],
    certificate_closed: ['It can no longer be asked for: its dates have passed.', 'انتهت مواعيد طلبها.'],
    certificate_opens_on: ['It can be asked for from {date}.', 'يبدأ طلبها في {date}.'],
    certificate_level: ['It is for students from level {level} on.', 'هي للطلاب من المستوى {level} فصاعدًا.'],
    certificate_photo: ['The record has no photo: add one first.', 'لا توجد صورة في السجل. أضفها أولًا.'],
    paper_is_signed: [
      '“{type}” is signed by its positions: ask for it as a certificate. Its type may let the desk issue it at once.',
      'تُوقَّع «{type}» من أصحاب الوظائف المحددة: اطلبها كشهادة، أو اسمح في نوعها بإصدارها فورًا من المكتب.',
    ],
    certificate_asked_twice: ['One of this type is on its way already.', 'يوجد طلب من هذا النوع قيد التنفيذ.'],
    certificate_asked_by_staff: ['One of this type is on its way already.', 'يوجد طلب من هذا النوع قيد التنفيذ.'],
    certificate_whose: ['Give a student or a member of staff, not both.', 'حدد طالبًا أو عاملًا، لا كليهما.'],
    certificate_copies: ['At most {max} copies.', 'بحد أقصى {max} نسخ.'],
    certificate_not_urgent: ['This type cannot be had urgently.', 'لا يُنجز هذا النوع بصفة عاجلة.'],
    certificate_delivery: ['This type is not delivered in this way.', 'لا يُسلّم هذا النوع بهذه الطريقة.'],
    certificate_delivery_other: ['It was to be delivered in another way.', 'طُلب تسليمها بطريقة أخرى.'],
    certificate_address: ['Say to which address it is sent.', 'اذكر العنوان الذي تُرسل إليه.'],
    certificate_no_signer: ['Nobody holds the position {position} today.', 'لا أحد يشغل اليوم وظيفة {position_local}.'],
    certificate_own_preparation: ['Whoever prepared it does not review it.', 'لا يراجعها من أعدّها.'],
    certificate_unpaid: ['Invoice {number} is not paid.', 'الفاتورة {number} غير مدفوعة.'],
    certificate_unsigned: ['The signature is missing: {position}.', 'ينقص توقيع {position_local}.'],
    certificate_dean_unsigned: ['The dean has not signed.', 'لم يوقع العميد بعد.'],
    certificate_signed_already: ['It is signed already.', 'سبق توقيعها.'],
    certificate_signed_by_once: ['You have signed it in another position.', 'سبق أن وقّعتها بحكم وظيفة أخرى.'],
    certificate_not_signer: ['You hold none of the positions that sign it.', 'لا تشغل أيًّا من وظائف التوقيع عليها.'],
    certificate_not_your_turn: ['{position} signs first.', 'يوقع {position_local} أولًا.'],
    certificate_changed: [
      'What stands on it has changed since it was prepared. Take it back to be corrected.',
      'تغيّر ما فيها منذ إعدادها. أعدها للتصحيح.',
    ],
    certificate_no_paper: ['No paper of this certificate is opened here.', 'لا تُفتح هنا وثيقة لهذه الشهادة.'],
    certificate_print_void: ['This paper is not valid any more.', 'لم تعد هذه الوثيقة سارية.'],
    certificate_print_reason: [
      'All originals ({count}) are printed. Give the reason for a further copy.',
      'طُبعت كل الأصول ({count}). اذكر سبب طباعة نسخة أخرى.',
    ],
    certificate_code_unknown: ['No certificate has a paper with this code.', 'لا توجد شهادة لها وثيقة بهذا الرمز.'],
    certificate_no_payment: ['This payment belongs to no certificate of yours.', 'لا تخص هذه الدفعة شهادة لك.'],
    graduate_unknown: [
      'This link opens no request. Ask for a new one with your e-mail address.',
      'هذا الرابط لا يفتح أي طلب. اطلب رابطًا جديدًا ببريدك الإلكتروني.',
    ],
    graduate_identity: ['This is no such number.', 'هذا ليس رقمًا صحيحًا.'],
    graduate_photo: [
      'This type needs a photo in the record: ask for it at the university.',
      'يشترط هذا النوع صورة في السجل. اطلبه في الجامعة.',
    ],
    graduate_request_twice: [
      'You asked for this already, and it waits to be looked at.',
      'سبق أن طلبت ذلك، وهو قيد النظر.',
    ],
    graduate_decided: ['It was decided already.', 'سبق البت فيه.'],
    graduate_nothing_due: ['Nothing is to be paid now.', 'لا شيء مستحق الدفع الآن.'],
    graduate_no_record: ['Choose the record first.', 'حدد السجل أولًا.'],
    graduate_not_graduated: ['This is not the record of a graduate.', 'هذا ليس سجل خريج.'],
    graduate_no_proof: [
      'The address is not that of the record, and no picture of an identity card or passport was sent.',
      'البريد ليس المسجل في السجل، ولم تُرسل صورة بطاقة الهوية أو جواز السفر.',
    ],
    certificate_place: ['Nothing fills {place}.', 'لا شيء يملأ {place}.'],
    certificate_type_staff: [
      'What is for staff is for nobody else, and has a text of its own.',
      'ما يكون للعاملين لا يكون لغيرهم، وله نص خاص.',
    ],
    certificate_type_audience: ['Say for whom it is.', 'حدد لمن هي.'],
    certificate_type_delivery: ['Say how it is delivered.', 'حدد طريقة تسليمها.'],
    certificate_date_order: ['The last day is before the first.', 'آخر يوم قبل أول يوم.'],
    certificate_date_twice: ['These days overlap with others of this type.', 'تتداخل هذه الأيام مع غيرها لهذا النوع.'],
    certificate_price_twice: ['There is a price for this already.', 'يوجد سعر لهذا بالفعل.'],
    certificate_signer_twice: ['This position signs already.', 'هذه الوظيفة ضمن الموقعين بالفعل.'],
    signature_picture: [
      'The picture cannot be printed. Take a PNG or JPEG of at most {width} × {height} pixels.',
      'لا يمكن طباعة الصورة. اختر صورة PNG أو JPEG لا تتجاوز {width} × {height} نقطة.',
    ],
    name_change_same: ['This is the name on the record already.', 'هذا هو الاسم المسجل بالفعل.'],
    name_change_asked_twice: ['A change of this name is on its way already.', 'يوجد طلب لتغيير هذا الاسم قيد الموافقة.'],
    name_change_overtaken: [
      'The record has been changed since: it bears the name {name} now. Reject this, and ask again.',
      'تغيّر السجل منذ الطلب، والاسم الآن {name_local}. ارفض الطلب ليُقدم من جديد.',
    ],
    name_change_proof: ['This proof was handed in already.', 'سبق تقديم هذا المستند.'],
    name_change_proof_kind: ['{name}: only PDF and pictures are taken.', '{name}: المقبول هو PDF والصور فقط.'],
    name_change_proof_large: ['{name} is larger than {max} MB.', 'حجم {name} أكبر من {max} ميجابايت.'],
    external_person: [
      'Say whose paper it is: of a student, of an applicant, or of somebody else.',
      'حدد صاحب الوثيقة: طالب أو متقدم أو شخص آخر.',
    ],
    external_paper_twice: ['This file is registered for this person already.', 'سبق تسجيل هذا الملف لهذا الشخص.'],
    external_paper_same_file: ['This file belongs to the paper already.', 'هذا الملف ضمن الوثيقة بالفعل.'],
    external_no_email: [
      'Nobody knows where to ask {issuer}: enter the e-mail of its office.',
      'لا يوجد بريد لسؤال {issuer_local}. أدخل بريد مكتبها.',
    ],
    external_link_over: [
      'This link has ended: the question was answered, or is asked no more.',
      'انتهى هذا الرابط: جرى الرد على السؤال أو سُحب.',
    ],
    external_file_data: ['The file is data, and is not shown here.', 'الملف بيانات ولا يُعرض هنا.'],
    signing_holder_days: ['The last day is before the first.', 'آخر يوم قبل أول يوم.'],
    signing_holder_twice: ['Somebody else holds it on these days.', 'يشغلها شخص آخر في هذه الأيام.'],
  },
})
