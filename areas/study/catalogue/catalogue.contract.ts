import { area } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import { bylaw } from './bylaws/bylaw.contract.ts'
import { bylawCalls } from './bylaws/settings.contract.ts'
import { settingsTexts } from './bylaws/settings.rules.ts'
import { course, courseCalls } from './courses/course.contract.ts'
import { department } from './departments/department.contract.ts'
import { faculty } from './faculties/faculty.contract.ts'
import type { Bilingual } from '#areas/common/academics/problem.rules.ts'
import { programCalls } from './programs/plan.contract.ts'
import { program } from './programs/program.contract.ts'
import { researchCalls } from './programs/research.contract.ts'
import { requisiteTexts } from './requisites.rules.ts'
import { researchTexts } from './research-plan.rules.ts'
import { planTexts } from './study-plan.rules.ts'
import { UNIT_HISTORY } from './units/unit.contract.ts'

const labels = (texts: Readonly<Record<string, Bilingual>>): Record<string, Label> =>
  Object.fromEntries(Object.entries(texts).map(([code, { en, ar }]) => [code, [en, ar]]))

export const catalogueArea = area({
  name: 'catalogue',
  label: ['Catalogue', 'الدليل الأكاديمي'],
  resources: [faculty, department, bylaw, program, course],
  calls: [bylawCalls, programCalls, researchCalls, courseCalls, ...Object.values(UNIT_HISTORY)],
  errors: {
    ...labels(settingsTexts),
    ...labels(planTexts),
    ...labels(requisiteTexts),
    ...labels(researchTexts),
    grade_letter_unknown: ['The bylaw has no grade {letter}', 'لا يوجد في اللائحة تقدير {letter}'],
    set_entry_unknown: ['This entry does not belong to the bylaw', 'هذا العنصر لا يخص اللائحة'],
    faculties_name_taken: ['There is a faculty of this name.', 'توجد كلية بهذا الاسم.'],
    programs_name_taken: ['The bylaw has a program of this name.', 'يوجد برنامج بهذا الاسم في اللائحة نفسها.'],
    department_other_faculty: ['The department belongs to another faculty', 'القسم يتبع كلية أخرى'],
    bylaw_other_faculty: ['The bylaw belongs to another faculty', 'اللائحة تتبع كلية أخرى'],
    bylaw_has_students: [
      '{count} students study under it, so it stays in its faculty',
      'عدد من يدرسون عليها {count}، فلا يمكن نقلها إلى كلية أخرى',
    ],
    ProgramTypeError: [
      'The program type is not set in the academic settings ({program}).',
      'لم يُحدد نوع البرنامج في الإعدادات الأكاديمية ({program}).',
    ],
    bylaw_type_in_use: [
      '{count} students have studied under it, so it keeps its way of counting: by credit hours, or by marks',
      'درس عليها {count} من الطلاب، فلا يتغير نظامها بين الساعات المعتمدة والدرجات',
    ],
    grade_in_use: [
      '{count} results stand on {letter}, so it stays. Move its bounds, or give those who begin now a bylaw of their own.',
      'يستند إلى التقدير {letter} عدد {count} من النتائج، فيبقى. عدّل حدوده أو خصص لائحة جديدة لمن يبدأ الآن.',
    ],
    level_in_use: [
      '{count} students are in level {level}, so it stays.',
      'عدد الطلاب في المستوى {level} هو {count}، فيبقى.',
    ],
    level_with_students: ['Students are in this level, so it stays.', 'يوجد طلاب في هذا المستوى، فيبقى.'],
    settings_from_term: [
      '{count} approved results stand on this, the last in {last}. Say from which later term on it changes: earlier terms keep what holds now.',
      'يستند إليه {count} من النتائج المعتمدة، آخرها في {last}. حدد الفصل اللاحق الذي يسري التعديل منه، وتبقى الفصول السابقة على ما هي عليه.',
    ],
    settings_term_decided: [
      '{count} results of {term}, or of later terms, are approved already: choose a later term.',
      'اعتُمد {count} من نتائج {term} أو ما بعده بالفعل: اختر فصلًا لاحقًا.',
    ],
    settings_term_order: [
      'Settings changed from {other} on already, which is later than {term}: choose that term, or a later one.',
      'تغيرت الإعدادات بدءًا من {other} وهو بعد {term}: اختر ذلك الفصل أو فصلًا لاحقًا.',
    ],
    settings_with_results: [
      'Approved results stand on these grades: they change from a later term on.',
      'تستند نتائج معتمدة إلى هذه التقديرات، فتتغير بدءًا من فصل لاحق.',
    ],
    grade_with_results: ['Results stand on this grade, so it stays.', 'تستند نتائج إلى هذا التقدير، فيبقى.'],
    program_relied_on: [
      'The program stays under its bylaw: transfers and specialisations lead to it or back from it ({count}).',
      'يبقى البرنامج تابعًا للائحته: تعتمد عليه تحويلات أو تخصصات ({count}).',
    ],
    program_has_students: [
      '{count} students study in it, so it stays under its bylaw',
      'عدد من يدرسون به {count}، فلا يمكن نقله إلى لائحة أخرى',
    ],
    requisite_unknown: ['The course {course} does not exist', 'المقرر {course} غير موجود'],
    requisite_self: ['A course cannot require itself', 'لا يمكن أن يتطلب المقرر نفسه'],
    course_equals_other: ['A course is not equal to itself', 'لا يكون المقرر مكافئًا لنفسه'],
    course_corequisites_check: ['A course cannot require itself', 'لا يمكن أن يتطلب المقرر نفسه'],
    plan_kind_pool: [
      'Elective courses belong to a pool of the program, other courses to none: {course}',
      'المقرر الاختياري يتبع مجموعة اختيارية في البرنامج، وغيره لا يتبع أي مجموعة: {course}',
    ],
    plan_semester_beyond: [
      'Semester {semester} lies beyond the {semesters} semesters of the program: {course}',
      'الفصل {semester} خارج فصول البرنامج وعددها {semesters}: {course}',
    ],
    plan_requirement_missing: [
      'The required course {course} has no place in the plan',
      'المقرر المطلوب {course} ليس له موضع في الخطة',
    ],
    plan_not_in_plan: ['Course {course} is not in the plan', 'المقرر {course} ليس في الخطة'],
    plan_load: [
      'Semester {semester} has {hours} credit hours, the bylaw allows {maximum}',
      'ساعات الفصل {semester} هي {hours}، واللائحة تسمح بـ {maximum}',
    ],
    tree_program_unknown: [
      'Program {program} is not a program of this bylaw',
      'البرنامج {program} ليس من برامج اللائحة',
    ],
    tree_program_twice: ['{program} stands in the tree twice', '{program} مكرر في الشجرة'],
    tree_not_general: [
      'Students can specialise only from a general program: {program}',
      'لا يكون التخصص إلا من برنامج عام: {program}',
    ],
    unit_day_ahead: ['This day is still to come: note it when it is there.', 'لم يحن هذا اليوم بعد: سجّله عند حلوله.'],
    unit_follows_itself: ['Nothing follows upon itself: choose another one.', 'لا تخلف الجهة نفسها: اختر غيرها.'],
    unit_successions_pair: ['That it became this one is noted already.', 'مسجَّل بالفعل أنها آلت إلى هذه.'],
    unit_names_day: [
      'Another former name ends on this day: correct that one, or choose another day.',
      'ينتهي اسم سابق آخر في هذا اليوم: صحّحه أو اختر يومًا آخر.',
    ],
    unit_ended: [
      'It ended on {day}: choose that day, or take back first what is noted there.',
      'انتهت في {day}: اختر ذلك اليوم أو ألغِ أولًا ما سُجّل فيه.',
    ],
    unit_succession_circle: [
      'One of these became it, over one or several steps: nothing can follow upon itself.',
      'إحدى هذه الجهات آلت إليها مباشرة أو عبر غيرها، ولا تخلف الجهة نفسها.',
    ],
    no_instructor: ['Choose an instructor', 'اختر عضو هيئة تدريس'],
  },
})
