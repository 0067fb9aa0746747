/** Words of theses: jobs on a team, ties to the student, degrees, results. */
export const THESIS_JOB_WORDS = [
  { value: 'leader', label: ['Main supervisor', 'المشرف الرئيس'] },
  { value: 'member', label: ['Supervisor', 'مشرف مشارك'] },
  { value: 'committee', label: ['Committee', 'عضو لجنة الحكم'] },
  { value: 'observe', label: ['Observer', 'مراقب'] },
  { value: 'reviewers', label: ['Reviewer', 'محكّم'] },
] as const
export const THESIS_TIE_WORDS = [
  { value: 'none', label: ['None', 'لا توجد'] },
  { value: 'relative', label: ['Relative', 'صلة قرابة'] },
  { value: 'coauthor', label: ['Co-author', 'بحث مشترك'] },
] as const
export const THESIS_DEGREES = [
  { value: 'master', label: ['Master', 'ماجستير'] },
  { value: 'doctorate', label: ['Doctorate', 'دكتوراه'] },
] as const
export const THESIS_LANGUAGES = [
  { value: 'ar', label: ['Arabic', 'العربية'] },
  { value: 'en', label: ['English', 'الإنجليزية'] },
] as const
export const THESIS_RESULTS = [
  { value: 'accepted', label: ['Passed', 'قُبلت'] },
  { value: 'changes', label: ['Passed with changes', 'قُبلت مع تعديلات'] },
  { value: 'refused', label: ['Not passed', 'لم تُقبل'] },
] as const
