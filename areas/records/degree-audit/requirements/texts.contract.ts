/** What is wrong with a tree of requirements, and what a student is missing, in words. */

/** `place` is the requirement. */
export const requirementErrors = {
  requirement_empty: ['“{place}” has no parts.', 'المتطلب «{place}» بلا أجزاء.'],
  requirement_no_courses: ['“{place}” names no courses.', 'المتطلب «{place}» لا يحدد أي مقررات.'],
  requirement_key_twice: [
    '“{place}” has the key {key}, which another requirement has already.',
    'المتطلب «{place}» له المفتاح {key} المستخدم في متطلب آخر.',
  ],
  requirement_too_deep: [
    '“{place}” lies too deep: requirements have at most {max} levels.',
    'المتطلب «{place}» أعمق من اللازم: أقصى عدد للمستويات {max}.',
  ],
  requirement_too_many: [
    'There are {count} requirements, at most {max} are possible.',
    'عدد المتطلبات {count}، والحد الأقصى {max}.',
  ],
  requirement_min_beyond: [
    '“{place}” asks for {min}, but can give at most {max}.',
    'المتطلب «{place}» يشترط {min} ولا يمكن أن يعطي أكثر من {max}.',
  ],
  requirement_cap_under_min: [
    'Of “{place}” at most {max} count, but it asks for {min}.',
    'لا يُحسب من المتطلب «{place}» أكثر من {max} مع أنه يشترط {min}.',
  ],
  requirement_whole_number: [
    '“{place}” counts courses or parts: write a whole number.',
    'المتطلب «{place}» يُعد بالمقررات أو الأجزاء: اكتب عددًا صحيحًا.',
  ],
  requirement_unit: [
    '“{place}” adds up what its parts count, but “{part}” is counted in something else.',
    'المتطلب «{place}» يجمع ما تحسبه أجزاؤه، أما «{part}» فيُحسب بوحدة أخرى.',
  ],
  requirement_all_open: [
    '“{place}” asks for every course: list single courses, not a pattern or a group.',
    'المتطلب «{place}» يشترط كل المقررات: اذكر مقررات بعينها لا نمطًا أو مجموعة.',
  ],
  requirement_course_twice: [
    '“{place}” lists the course {course} twice.',
    'المقرر {course} مكرر في المتطلب «{place}».',
  ],
  requirement_all_excluded: [
    '“{place}” leaves out every course it lists.',
    'المتطلب «{place}» يستبعد كل المقررات التي يذكرها.',
  ],
  requirement_pattern: [
    '“{place}”: {pattern} is no pattern of a code. Write the code, with * for what may follow: CS 3*.',
    'المتطلب «{place}»: {pattern} ليس نمطًا لكود. اكتب الكود مع * لما قد يليه، مثل CS 3*.',
  ],
  requirement_level: [
    '“{place}”: level {from} lies above level {to}.',
    'المتطلب «{place}»: المستوى {from} أعلى من المستوى {to}.',
  ],
  requirement_cycle: [
    '“{place}” takes its courses from itself: {cycle}.',
    'المتطلب «{place}» يأخذ مقرراته من نفسه: {cycle}.',
  ],
  requirement_unknown: [
    '“{place}” takes courses from the requirement {key}, which does not exist.',
    'المتطلب «{place}» يأخذ مقرراته من المتطلب {key} غير الموجود.',
  ],
  requirement_course_unknown: [
    '“{place}” names a course that does not exist or was removed ({course}).',
    'المتطلب «{place}» يذكر مقررًا غير موجود أو محذوفًا ({course}).',
  ],
  requirement_tag_unknown: [
    '“{place}” names a tag that does not exist or was removed ({tag}).',
    'المتطلب «{place}» يذكر وسمًا غير موجود أو محذوفًا ({tag}).',
  ],
  requirement_department_unknown: [
    '“{place}” names a department that does not exist or was removed ({department}).',
    'المتطلب «{place}» يذكر قسمًا غير موجود أو محذوفًا ({department}).',
  ],
  requirement_faculty_unknown: [
    '“{place}” names a faculty that does not exist or was removed ({faculty}).',
    'المتطلب «{place}» يذكر كلية غير موجودة أو محذوفة ({faculty}).',
  ],
  requirement_pool_unknown: [
    '“{place}” names an elective pool that the study plan does not have ({pool}).',
    'المتطلب «{place}» يذكر مجموعة اختيارية غير موجودة في الخطة الدراسية ({pool}).',
  ],
  requirements_changed: [
    'Somebody has changed the requirements meanwhile (revision {revision}). Look at them before saving.',
    'عدّل شخص آخر المتطلبات في هذه الأثناء (الإصدار {revision}). راجعها قبل الحفظ.',
  ],
  requirement_names_removed: [
    'The requirements name what was removed meanwhile: {codes}.',
    'المتطلبات تذكر ما حُذف في هذه الأثناء: {codes}.',
  ],
  named_by_requirement: [
    'Requirements name it, so it cannot be removed. Change them first: {places}.',
    'مذكور في متطلبات فلا يمكن حذفه. عدّلها أولًا: {places}.',
  ],
} as const satisfies Record<string, readonly [string, string]>

/** What a student is missing; `courses` are codes. */
export const missingTexts = {
  missing_listed: ['Still to pass: {courses}', 'يتبقى اجتياز: {courses}'],
  missing_courses: ['Courses still to pass: {count}', 'عدد المقررات المتبقية: {count}'],
  missing_hours: ['Credit hours still to pass: {hours}', 'الساعات المعتمدة المتبقية: {hours}'],
  missing_parts: ['Parts still to meet: {count}', 'الأجزاء المتبقية: {count}'],
  missing_gpa: ['GPA {actual}, required is {required}', 'المعدل {actual} والمطلوب {required}'],
  missing_gpa_none: ['No GPA yet, required is {required}', 'لا معدل بعد، والمطلوب {required}'],
  missing_weeks: ['Weeks of training still to do: {weeks}', 'أسابيع التدريب المتبقية: {weeks}'],
  missing_by_hand: ['Still to be confirmed by staff', 'ينتظر تأكيد الموظف المختص'],
  missing_grade: [
    'Passed with less than {min_points} points: {courses}',
    'مقررات مجتازة بأقل من {min_points} نقطة: {courses}',
  ],
} as const satisfies Record<string, readonly [string, string]>
