import { area, screen } from '#kit/contract/index.ts'
import { fillCalls } from './filling/fill.contract.ts'
import { questionnaire, questionnaireCalls } from './planning/questionnaire.contract.ts'
import { invitedCalls } from './inviting/invited.contract.ts'
import { outsiderCalls } from './outsiders/outsider.contract.ts'
import { resultFileCalls } from './results/export.contract.ts'
import { resultCalls } from './results/results.contract.ts'
import { questionCalls, questionnaireQuestion } from './types/question.contract.ts'
import { questionnaireType } from './types/type.contract.ts'

const OWN = { permission: 'signed_in' } as const
const MINE = ['My questionnaires', 'استبياناتي'] as const
const FILL = ['Fill in a questionnaire', 'ملء استبيان'] as const

/** Questionnaires: asked by rule, answered without a name, counted when they are closed. */
export const questionnairesArea = area({
  name: 'questionnaires',
  label: ['Questionnaires', 'الاستبيانات'],
  resources: [questionnaireType, questionnaireQuestion, questionnaire],
  calls: [questionCalls, questionnaireCalls, fillCalls, invitedCalls, outsiderCalls, resultCalls, resultFileCalls],
  screens: [
    screen('/student_questionnaires', {
      ...OWN,
      of: ['student'],
      title: MINE,
      menu: { group: 'my', order: 30, icon: 'message-circle-question' },
    }),
    screen('/graduate_questionnaires', {
      ...OWN,
      of: ['student'],
      title: MINE,
      parent: '/student_questionnaires',
    }),
    // Who works here is led there by a line of the home page, and who has to do with questionnaires finds it beside them.
    screen('/faculty_questionnaires', {
      ...OWN,
      title: MINE,
      menu: {
        group: 'quality',
        order: 13,
        icon: 'message-circle-question',
        groupOfType: { 1: 'teaching' },
        subject: 'questionnaires',
        only: ['results_questionnaire', 'access_questionnaire'],
      },
    }),
    ...(['student', 'graduate', 'faculty'] as const).map((kind) =>
      screen(`/${kind}_questionnaires/:id`, {
        ...OWN,
        title: FILL,
        parent: `/${kind}_questionnaires`,
      }),
    ),
    screen('/questionnaire_form/:id', {
      ...OWN,
      title: FILL,
      parent: '/student_questionnaires',
      parentOfType: { 1: '/faculty_questionnaires', 2: '/faculty_questionnaires' },
    }),
    screen('/questionnaire-invited', { permission: 'public', title: FILL, layout: 'full' }),
    // The same for everybody, whatever he or she is.
    screen('/forms', { ...OWN, title: ['Forms', 'النماذج'] }),
    screen('/forms/:id', { ...OWN, title: FILL, parent: '/forms' }),
    screen('/questionnaires/statistics/show/:id', {
      permission: ['results_questionnaire', 'show_questionnaire'],
      title: ['Results of a questionnaire', 'نتائج استبيان'],
      parent: '/questionnaires',
    }),
  ],
  noticeGroup: 'requests',
  notices: {
    notice_due: {
      title: ['A questionnaire waits for my answers', 'استبيان ينتظر إجاباتي'],
      audience: [1, 2, 3],
      app: 'on',
      mail: 'digest',
    },
  },
  errors: {
    questionnaire_type_about: ['Only students are asked about offerings.', 'الطلاب وحدهم يُسألون عن المقررات المطروحة.'],
    questionnaire_type_used: [
      'Questionnaires were made of this type: whom it asks, and about what, stays.',
      'أُعدت استبيانات من هذا النوع، فلا يتغير المستهدفون ولا الموضوع.',
    ],
    question_points: ['Ratings have points, other questions have none.', 'لأسئلة التقييم درجات وليس لغيرها.'],
    question_points_missing: ['Say from 1 to which number it is rated.', 'حدد أعلى درجة للتقييم.'],
    question_points_needless: ['Only ratings have points.', 'الدرجات لأسئلة التقييم فقط.'],
    question_options_few: ['Give two options at least.', 'أدخل اختيارين على الأقل.'],
    question_options_needless: ['This kind of question has no options.', 'ليس لهذا النوع من الأسئلة اختيارات.'],
    question_words: [
      'Give words for all {points} points, or for none.',
      'أدخل عبارات لكل الدرجات وعددها {points} أو اتركها كلها.',
    ],
    question_rows_few: ['Give the grid two rows at least.', 'أدخل صفين على الأقل للجدول.'],
    question_rows_needless: ['Only a grid has rows.', 'الصفوف للجدول فقط.'],
    question_range: ['Only a number has a range.', 'المدى للأرقام فقط.'],
    question_range_needless: ['Only a number has a range.', 'المدى للأرقام فقط.'],
    question_range_order: ['The largest number is above the smallest.', 'يكون أكبر رقم أعلى من أصغر رقم.'],
    question_condition: [
      'A condition needs a question, a comparison and a value.',
      'يحتاج الشرط إلى سؤال ومقارنة وقيمة.',
    ],
    question_condition_elsewhere: [
      'The condition stands on a question that is not in this questionnaire.',
      'الشرط مبني على سؤال ليس في هذا الاستبيان.',
    ],
    question_condition_later: [
      'A question stands after the one on which its condition stands.',
      'يأتي السؤال بعد السؤال الذي بُني عليه شرطه.',
    ],
    question_condition_kind: [
      'A condition stands on a rating, a choice or a number.',
      'يُبنى الشرط على تقييم أو اختيار أو رقم.',
    ],
    question_condition_equal: ['Of a choice, say which option: "is".', 'للاختيار استخدم المقارنة «يساوي».'],
    question_condition_stands: [
      'The question “{name}” is asked by the answer to this one: change its condition first.',
      'السؤال «{name}» يُطرح بحسب إجابة هذا السؤال: غيّر شرطه أولًا.',
    ],
    question_of_itself: ['A question does not stand on itself.', 'لا يُبنى شرط السؤال على نفسه.'],
    question_copied: ['A copy remembers of which version it is.', 'تحتفظ النسخة بإصدار السؤال الأصلي.'],
    question_in_bank: ['Questions of the bank have no order.', 'لا ترتيب لأسئلة البنك.'],
    question_option_twice: ['An option stands there twice.', 'يوجد اختيار مكرر.'],
    question_row_twice: ['A row stands there twice.', 'يوجد صف مكرر.'],
    questionnaire_days: ['It closes after it has opened.', 'يكون الإغلاق بعد الفتح.'],
    questionnaire_form: ['It has questions once it is opened.', 'تُثبت الأسئلة عند الفتح.'],
    questionnaire_counted: ['Only what is closed is counted.', 'لا تُحصى الإجابات إلا بعد الإغلاق.'],
    questionnaire_term: ['Choose the term of the offerings.', 'اختر الفصل الدراسي للمقررات.'],
    questionnaire_no_graduates: [
      'Only a questionnaire to graduates is sent to those of one year.',
      'تحديد عام التخرج لاستبيانات الخريجين فقط.',
    ],
    question_domain: ['Only ratings ask about outcomes.', 'أسئلة التقييم وحدها تتناول النواتج.'],
    questionnaire_not_obligatory: ['Only what is obligatory is put off.', 'التأجيل للاستبيان الإلزامي فقط.'],
    questionnaire_past: ['The last day is over: today is {today}.', 'مضى آخر يوم: اليوم {today}.'],
    questionnaire_begun: [
      'It was opened: what is asked, and whom, stays as it is.',
      'فُتح الاستبيان، فلا تتغير الأسئلة ولا المستهدفون.',
    ],
    questionnaire_closed: [
      'It is closed, and is never opened again: one more answer would be told by the difference.',
      'الاستبيان مغلق ولا يُفتح مرة أخرى، لأن إجابة إضافية واحدة تُعرف من الفرق.',
    ],
    questionnaire_not_begun: ['It was not opened yet.', 'لم يُفتح الاستبيان بعد.'],
    questionnaire_empty: ['The type has no questions.', 'لا توجد أسئلة في هذا النوع.'],
    questionnaire_no_key: [
      'SECRETS_KEY is not set: whoever has the database could read who answered what. Ask whoever runs the server.',
      'لم يُضبط SECRETS_KEY، فيمكن لمن لديه قاعدة البيانات معرفة إجابات كل شخص. راجع مسؤول الخادم.',
    ],
    questionnaire_not_open: ['The questionnaire is not open now.', 'الاستبيان ليس مفتوحًا الآن.'],
    questionnaire_not_asked: ['This questionnaire is not open for you now.', 'هذا الاستبيان غير متاح لك الآن.'],
    questionnaire_answered: ['You have answered this already.', 'سبق أن أجبت عن هذا الاستبيان.'],
    questionnaire_link_over: [
      'The link is no longer valid, or the questionnaire is closed. Open the latest mail.',
      'لم يعد الرابط صالحًا أو أُغلق الاستبيان. افتح أحدث رسالة.',
    ],
    questionnaire_stop_link: [
      'This link is not one of ours. Open it as it stands in the mail.',
      'هذا الرابط غير صحيح. افتحه كما ورد في الرسالة.',
    ],
    questionnaire_not_led: [
      'People outside are not led to it: it is not obligatory.',
      'لا يمكن إلزام من هم خارج الجامعة بالاستبيان.',
    ],
    questionnaire_nobody: ['Nobody is on its list: add those who are asked.', 'القائمة فارغة، أضف من يُسألون.'],
    questionnaire_no_outsiders: [
      'This questionnaire does not ask people outside.',
      'هذا الاستبيان غير موجه إلى أشخاص من خارج الجامعة.',
    ],
    questionnaire_outsiders_there: [
      '{count} people outside are on its list: take them off first.',
      'في القائمة {count} من خارج الجامعة، احذفهم أولًا.',
    ],
    questionnaire_outsider_twice: ['This address stands on the list already.', 'هذا العنوان موجود في القائمة.'],
    questionnaire_outsider_asked: [
      'Who was written to stays on the list until the questionnaire is counted.',
      'من أُرسلت إليه رسالة يبقى في القائمة حتى تُحصى الإجابات.',
    ],
    questionnaire_outsider_answered: [
      '{name} has answered, and stays on the list as written to.',
      'أجاب {name} عن الاستبيان، فتبقى بياناته كما هي.',
    ],
    outsider_name: ['There is no name.', 'الاسم غير موجود.'],
    outsider_long: ['It is longer than 200 letters.', 'النص أطول من 200 حرف.'],
    outsider_no_address: ['There is no e-mail address.', 'البريد الإلكتروني غير موجود.'],
    outsider_address: ['“{text}” is not an e-mail address.', '«{text}» ليس بريدًا إلكترونيًا.'],
    outsider_twice: ['The address stands in line {row} already.', 'العنوان مكرر، سبق في السطر {row}.'],
    outsider_language: ['“{text}” is not one of the languages.', '«{text}» ليست من اللغات المتاحة.'],
    questionnaire_postponed: [
      'It may be put off {most} times, which you have done.',
      'استنفدت مرات التأجيل المسموحة وعددها {most}.',
    ],
    questionnaire_figure_small: ['No figure rests on fewer than five answers.', 'لا رقم مبني على أقل من خمس إجابات.'],
    answer_unknown: ['The questionnaire does not ask this.', 'لا يتضمن الاستبيان هذا السؤال.'],
    answer_missing: ['Answer “{name}”.', 'أجب عن «{name}».'],
    answer_rows_missing: ['Answer every row of “{name}”.', 'أجب عن كل صفوف «{name}».'],
    answer_not_valid: ['“{name}” cannot be answered so.', 'لا يمكن الإجابة عن «{name}» بهذا الشكل.'],
    answer_long: ['The comment on “{name}” is too long.', 'التعليق على «{name}» أطول من المسموح.'],
    results_none: ['There are no results within your reach.', 'لا توجد نتائج ضمن صلاحيتك.'],
    results_not_counted: [
      'Results are there once the questionnaire is closed and counted.',
      'تظهر النتائج بعد إغلاق الاستبيان وإحصاء الإجابات.',
    ],
    results_marks_first: [
      'You see the results once the marks of the offering are published.',
      'ترى النتائج بعد إعلان درجات المقرر.',
    ],
    results_others: ['These are the results of somebody else.', 'هذه نتائج شخص آخر.'],
    results_small: [
      'Fewer than five answered: their answers are counted only with those of other small ones.',
      'أجاب أقل من خمسة، فلا تُحصى إجاباتهم إلا مع إجابات مجموعات صغيرة أخرى.',
    ],
    comment_none: ['There is no such comment within your reach.', 'لا يوجد هذا التعليق ضمن صلاحيتك.'],
    comment_own: ['Somebody else reads comments on your own teaching first.', 'يقرأ شخص آخر التعليقات على تدريسك أولًا.'],
    comment_decided: ['Somebody has decided on this comment already.', 'سبق البت في هذا التعليق.'],
  },
})
