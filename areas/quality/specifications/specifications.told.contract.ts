import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { OUTCOME_LEVELS, REFERENCE_KINDS } from './spec/words.contract.ts'

const named = {
  position: f.integer(['Order', 'الترتيب']),
  text: f.text(['In English', 'بالإنجليزية']),
  text_local: f.text(['In Arabic', 'بالعربية']),
}
/** What the log of changes says of its tables. */
export const specificationsTold: TablesTold = {
  specifications: {
    fields: { from_id: f.lookup(['Copied from', 'منسوخ من'], 'specification') },
  },
  specification_outcomes: {
    one: ['Learning outcome', 'ناتج تعلم'],
    many: ['Learning outcomes', 'نواتج التعلم'],
    title: ['code'],
    fields: {
      ...named,
      code: f.text(['Code', 'الكود']),
      domain: f.choice(['Domain', 'المجال'], OUTCOME_DOMAINS),
      level: f.choice(['Level', 'المستوى'], OUTCOME_LEVELS),
      verb: f.text(['Verb', 'الفعل']),
      target: f.integer(['Target, in percent of students', 'المستهدف من نسبة الطلاب']),
    },
  },
  specification_topics: {
    one: ['Topic of a course', 'موضوع في مقرر'],
    many: ['Topics of courses', 'موضوعات المقررات'],
    fields: {
      ...named,
      weeks: f.integer(['Weeks', 'عدد الأسابيع']),
      hours: f.number(['Contact hours', 'ساعات الاتصال'], { places: 2 }),
    },
  },
  specification_methods: {
    one: ['Teaching method', 'أسلوب تدريس'],
    many: ['Teaching methods', 'أساليب التدريس'],
    fields: named,
  },
  specification_assessments: {
    one: ['Assessment of a course', 'أسلوب تقويم في مقرر'],
    many: ['Assessments of courses', 'أساليب التقويم'],
    fields: {
      ...named,
      weight: f.number(['Weight in percent', 'الوزن بالنسبة المئوية'], { places: 2 }),
      week: f.integer(['Week', 'الأسبوع']),
      mark_category_id: f.lookup(['Part of the marks', 'بند الدرجات'], 'markCategory'),
    },
  },
  specification_references: {
    one: ['Reference of a course', 'مرجع مقرر'],
    many: ['References of courses', 'مراجع المقررات'],
    fields: {
      position: f.integer(['Order', 'الترتيب']),
      kind: f.choice(['Kind', 'النوع'], REFERENCE_KINDS),
      text: f.text(['Cited work', 'المرجع']),
    },
  },
  assessment_questions: {
    one: ['Question of an assessment', 'سؤال في تقويم'],
    many: ['Questions of assessments', 'أسئلة التقويم'],
    title: ['label'],
    fields: {
      position: named.position,
      label: f.text(['Question', 'السؤال']),
      max: f.number(['Maximum', 'الدرجة العظمى'], { places: 2 }),
      outcomes: f.text(['Outcomes', 'النواتج']),
    },
  },
  question_marks: {
    one: ['Mark of a question', 'درجة سؤال'],
    many: ['Marks of questions', 'درجات الأسئلة'],
    fields: { mark: f.number(['Mark', 'الدرجة'], { places: 2 }) },
  },
  outcome_topics: {
    one: ['Outcome taught by a topic', 'ناتج يحققه موضوع'],
    many: ['Outcomes taught by topics', 'نواتج تحققها موضوعات'],
  },
  outcome_methods: {
    one: ['Outcome taught by a method', 'ناتج يحققه أسلوب تدريس'],
    many: ['Outcomes taught by methods', 'نواتج تحققها أساليب التدريس'],
  },
  outcome_assessments: {
    one: ['Outcome assessed', 'ناتج يقيسه تقويم'],
    many: ['Outcomes assessed', 'نواتج يقيسها تقويم'],
  },
  outcome_contributions: {
    one: ['Outcome of a program that is served', 'ناتج برنامج يخدمه مقرر'],
    many: ['Outcomes of programs that are served', 'نواتج برامج تخدمها مقررات'],
    fields: { code: f.text(['Code', 'الكود']) },
  },
}
