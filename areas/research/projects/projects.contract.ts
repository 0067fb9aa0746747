import { projectsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { projectsOfDepartment } from '#areas/study/catalogue/outlets.contract.ts'
import { area } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { projectsOfThesis } from '#areas/research/theses/outlets.contract.ts'
import { projectThesisCalls } from './project/theses.contract.ts'
import { project, projectCalls, projectFlow, projectSteps } from './project/project.contract.ts'

/** Research projects: who works on what, with which money, until when, and what came of it. */
export const projectsArea = area({
  name: 'projects',
  label: ['Research projects', 'المشروعات البحثية'],
  resources: [project],
  calls: [listedCalls(projectFlow as never, projectSteps), projectCalls, projectThesisCalls],
  fills: [projectsOfPerson, projectsOfDepartment, projectsOfThesis],
  noticeGroup: 'requests',
  notices: {
    notice_moved: {
      title: ['A research project was approved, rejected or finished', 'اعتماد مشروع بحثي أو رفضه أو إنهاؤه'],
      audience: [1, 2],
      app: 'on',
      mail: 'digest',
    },
  },
  errors: {
    project_code_taken: ['A project with this code is there already.', 'يوجد مشروع بهذا الكود بالفعل.'],
    project_span: ['It ends before it begins.', 'تاريخ النهاية قبل تاريخ البداية.'],
    project_finished: ['What is finished says since when.', 'للمشروع المنتهي تاريخ انتهاء.'],
    project_member_named: [
      'Each member is a person of the university or a name, not both.',
      'كل عضو شخص من الجامعة أو اسم، لا كلاهما.',
    ],
    project_member_twice: ['A person is a member once.', 'يرد الشخص مرة واحدة بين الأعضاء.'],
    project_member_span: ['A member leaves before coming.', 'تاريخ مغادرة عضو قبل التحاقه.'],
    project_leader_twice: ['One person leads it.', 'للمشروع باحث رئيس واحد.'],
    project_leader_missing: ['Say who leads it.', 'حدد الباحث الرئيس.'],
    project_budget_missing: ['It has no budget.', 'ليس للمشروع ميزانية.'],
    project_budget_line_twice: ['This line stands there already.', 'هذا البند موجود بالفعل.'],
    project_milestone_twice: ['This milestone stands there already.', 'هذه المرحلة موجودة بالفعل.'],
    project_milestone_span: ['“{name}” is due before it begins.', 'موعد تسليم «{name}» قبل بدايتها.'],
    project_milestone_outside: ['“{name}” is due outside the project.', 'موعد تسليم «{name}» خارج مدة المشروع.'],
    project_milestone_ahead: [
      '“{name}” cannot be done on a day that is to come.',
      'لا يكون إنجاز «{name}» في يوم لم يأت بعد.',
    ],
    project_milestones_open: ['{count} milestones are not done.', 'لم تُنجز {count} من مراحل التنفيذ.'],
    project_report_missing: ['The final report is missing.', 'التقرير النهائي غير موجود.'],
    project_closed: ['It is finished: open it again first.', 'المشروع منتهٍ، أعد فتحه أولًا.'],
    project_begun: ['It has begun: finish it instead.', 'بدأ تنفيذ المشروع، أنهه بدلًا من حذفه.'],
    project_not_running: ['Money is spent while it runs.', 'لا يُصرف إلا أثناء تنفيذ المشروع.'],
    project_amount_zero: ['Give an amount.', 'أدخل مبلغًا.'],
    project_line_over: ['“{name}” has less left: say why more is spent.', 'المتبقي في «{name}» أقل، اذكر سبب تجاوزه.'],
    project_correction_large: ['Not so much was spent for “{name}”.', 'لم يُصرف هذا القدر من «{name}».'],
    project_spent_ahead: ['It cannot have been spent on a day that is to come.', 'لا يكون الصرف في يوم لم يأت بعد.'],
  },
})
