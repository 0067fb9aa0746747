/**
 * The course catalogue of the demo university, one line per course:
 * code | English name | Arabic name | lecture-tutorial-laboratory-clinical hours a week | credit hours | requisites
 *
 * Requisites are written as an expression over course codes: `&` for all of, `/` for any of, brackets, `CSC102>=C` for
 * a minimum grade, `with AID301` for a co-requisite, `hours>=90` for minimum passed hours, `level>=3` for a minimum
 * level; a semicolon separates the parts.
 */

/** Leaf or node of a requisite expression. */
export type Requisite = { course: string; min_grade?: string } | { all: Requisite[] } | { any: Requisite[] }

export type CourseEntry = {
  code: string
  name: string
  name_local: string
  /** Code of the owning department. */
  department: string
  lecture_hours: number
  tutorial_hours: number
  laboratory_hours: number
  clinical_hours: number
  credit_hours: number
  prerequisites: Requisite | null
  /** Course codes. */
  corequisites: string[]
  min_passed_hours: number
  min_level: number
}

const BASIC_SCIENCES = `
MTH101 | Calculus 1 | التفاضل والتكامل (1) | 2-2-0-0 | 3 |
MTH102 | Calculus 2 | التفاضل والتكامل (2) | 2-2-0-0 | 3 | MTH101
MTH103 | Discrete Mathematics | الرياضيات المتقطعة | 2-2-0-0 | 3 |
MTH104 | Linear Algebra | الجبر الخطي | 2-2-0-0 | 3 |
MTH201 | Probability and Statistics | الاحتمالات والإحصاء | 2-2-0-0 | 3 | MTH101
MTH202 | Differential Equations | المعادلات التفاضلية | 2-2-0-0 | 3 | MTH102
MTH203 | Numerical Methods | الطرق العددية | 2-0-2-0 | 3 | MTH102 & MTH104
MTH301 | Operations Research | بحوث العمليات | 2-2-0-0 | 3 | MTH104
PHY101 | Physics 1 | الفيزياء (1) | 2-0-2-0 | 3 |
PHY102 | Physics 2 | الفيزياء (2) | 2-0-2-0 | 3 | PHY101
`

const COMPUTER_SCIENCE = `
CSC101 | Introduction to Computing | مقدمة في الحوسبة | 2-0-2-0 | 3 |
CSC102 | Structured Programming | البرمجة الهيكلية | 2-0-2-0 | 3 | CSC101
CSC201 | Object-Oriented Programming | البرمجة كائنية التوجه | 2-0-2-0 | 3 | CSC102
CSC202 | Data Structures | هياكل البيانات | 2-0-2-0 | 3 | CSC102 & MTH103
CSC203 | Database Systems 1 | نظم قواعد البيانات (1) | 2-0-2-0 | 3 | CSC102
CSC204 | Web Application Development | تطوير تطبيقات الويب | 2-0-2-0 | 3 | CSC201 & CSC203
CSC205 | Systems Analysis and Design | تحليل وتصميم النظم | 2-2-0-0 | 3 | CSC203
CSC301 | Algorithm Analysis and Design | تحليل وتصميم الخوارزميات | 2-2-0-0 | 3 | CSC202
CSC302 | Operating Systems | نظم التشغيل | 2-0-2-0 | 3 | CSC202
CSC303 | Software Engineering | هندسة البرمجيات | 2-2-0-0 | 3 | CSC201
CSC304 | Theory of Computation | نظرية الحوسبة | 2-2-0-0 | 3 | MTH103
CSC305 | Computer Networks | شبكات الحاسب | 2-0-2-0 | 3 | CSC101; level>=2
CSC306 | Information Security | أمن المعلومات | 2-0-2-0 | 3 | CSC305
CSC307 | Human-Computer Interaction | التفاعل بين الإنسان والحاسب | 2-2-0-0 | 3 | CSC201
CSC308 | Database Systems 2 | نظم قواعد البيانات (2) | 2-0-2-0 | 3 | CSC203
CSC401 | Compiler Design | تصميم المترجمات | 2-0-2-0 | 3 | CSC304 & CSC202
CSC402 | Distributed Systems | النظم الموزعة | 2-0-2-0 | 3 | CSC302 & CSC305
CSC403 | Computer Graphics | الرسم بالحاسب | 2-0-2-0 | 3 | MTH104 & CSC202
CSC404 | Cloud Computing | الحوسبة السحابية | 2-0-2-0 | 3 | CSC302 / CSC305
CSC405 | Mobile Application Development | تطوير تطبيقات الأجهزة المحمولة | 2-0-2-0 | 3 | CSC201
CSC406 | Software Testing and Quality Assurance | اختبار البرمجيات وضمان جودتها | 2-0-2-0 | 3 | CSC303
CSC407 | Parallel Computing | الحوسبة المتوازية | 2-0-2-0 | 3 | CSC302
CSC408 | Software Project Management | إدارة مشروعات البرمجيات | 2-2-0-0 | 3 | CSC303
CSC409 | Cryptography | علم التشفير | 2-2-0-0 | 3 | MTH103 & CSC301
CSC491 | Graduation Project 1 (Computer Science) | مشروع التخرج (1) علوم الحاسب | 1-0-4-0 | 3 | CSC303; hours>=84
CSC492 | Graduation Project 2 (Computer Science) | مشروع التخرج (2) علوم الحاسب | 1-0-6-0 | 4 | CSC491
`

const ARTIFICIAL_INTELLIGENCE = `
AID201 | Introduction to Artificial Intelligence | مقدمة في الذكاء الاصطناعي | 2-0-2-0 | 3 | CSC102 & MTH103
AID202 | Foundations of Data Science | أساسيات علم البيانات | 2-0-2-0 | 3 | MTH201 & CSC102
AID203 | Programming for Data Analysis | البرمجة لتحليل البيانات | 2-0-2-0 | 3 | CSC102
AID301 | Machine Learning | تعلم الآلة | 2-0-2-0 | 3 | MTH201 & MTH104 & (AID201 / AID202)
AID302 | Data Mining | التنقيب في البيانات | 2-0-2-0 | 3 | MTH201
AID303 | Knowledge Representation and Reasoning | تمثيل المعرفة والاستدلال | 2-2-0-0 | 3 | AID201
AID304 | Data Visualization | التمثيل المرئي للبيانات | 2-0-2-0 | 3 | CSC102
AID305 | Big Data Analytics | تحليل البيانات الضخمة | 2-0-2-0 | 3 | CSC203
AID306 | Statistical Inference | الاستدلال الإحصائي | 2-2-0-0 | 3 | MTH201; with AID301
AID401 | Deep Learning | التعلم العميق | 2-0-2-0 | 3 | AID301>=D+
AID402 | Natural Language Processing | معالجة اللغات الطبيعية | 2-0-2-0 | 3 | AID301
AID403 | Computer Vision | الرؤية بالحاسب | 2-0-2-0 | 3 | MTH104 & CSC202
AID404 | Reinforcement Learning | التعلم المعزز | 2-0-2-0 | 3 | AID301
AID405 | Intelligent Robotics | الروبوتات الذكية | 2-0-2-0 | 3 | AID201
AID406 | Recommender Systems | نظم التوصية | 2-0-2-0 | 3 | AID301 / AID302
AID407 | Bioinformatics | المعلوماتية الحيوية | 2-0-2-0 | 3 | CSC202 & MTH201
AID408 | Ethics and Governance of Artificial Intelligence | أخلاقيات الذكاء الاصطناعي وحوكمته | 2-2-0-0 | 3 | AID201
AID491 | Graduation Project 1 (Artificial Intelligence) | مشروع التخرج (1) الذكاء الاصطناعي | 1-0-4-0 | 3 | AID301; hours>=84
AID492 | Graduation Project 2 (Artificial Intelligence) | مشروع التخرج (2) الذكاء الاصطناعي | 1-0-6-0 | 4 | AID491
`

const COMPUTER_ENGINEERING = `
CSE101 | Engineering Drawing | الرسم الهندسي | 1-0-4-0 | 3 |
CSE103 | Digital Logic Design | تصميم الدوائر المنطقية | 2-0-2-0 | 3 |
CSE201 | Electric Circuits | الدوائر الكهربية | 2-0-2-0 | 3 | PHY101
CSE202 | Electronics | الإلكترونيات | 3-1-2-0 | 4 | CSE201
CSE203 | Computer Organization and Architecture | تنظيم وعمارة الحاسب | 2-0-2-0 | 3 | CSE103
CSE204 | Signals and Systems | الإشارات والنظم | 2-2-0-0 | 3 | MTH102
CSE301 | Microprocessors | المعالجات الدقيقة | 3-0-2-0 | 4 | CSE203
CSE302 | Embedded Systems | النظم المدمجة | 3-0-2-0 | 4 | CSE301
CSE303 | Automatic Control Systems | نظم التحكم الآلي | 3-2-0-0 | 4 | MTH202
CSE304 | Digital Signal Processing | معالجة الإشارات الرقمية | 3-0-2-0 | 4 | CSE204
CSE305 | Communication Systems | نظم الاتصالات | 3-0-2-0 | 4 | CSE204
CSE306 | Advanced Computer Architecture | عمارة الحاسب المتقدمة | 2-2-0-0 | 3 | CSE203
CSE307 | Digital System Design | تصميم النظم الرقمية | 2-0-2-0 | 3 | CSE103
CSE401 | Real-Time Systems | نظم الزمن الحقيقي | 2-0-2-0 | 3 | CSC302
CSE402 | VLSI Design | تصميم الدوائر المتكاملة عالية الكثافة | 2-0-2-0 | 3 | CSE202 & CSE307
CSE403 | Internet of Things | إنترنت الأشياء | 2-0-2-0 | 3 | CSC305
CSE404 | Robotics | هندسة الروبوتات | 2-0-2-0 | 3 | CSE303
CSE405 | Industrial Automation | التحكم الصناعي | 2-0-2-0 | 3 | CSE303
CSE406 | Wireless and Mobile Networks | الشبكات اللاسلكية والمحمولة | 2-2-0-0 | 3 | CSC305
CSE407 | Digital Image Processing | معالجة الصور الرقمية | 2-0-2-0 | 3 | CSE204
CSE408 | Hardware Security | أمن العتاد | 2-2-0-0 | 3 | CSE203
CSE409 | Engineering Economics and Management | الاقتصاد الهندسي وإدارة المشروعات | 2-1-0-0 | 2 | level>=3
CSE491 | Graduation Project 1 (Computer Engineering) | مشروع التخرج (1) هندسة الحاسبات | 1-0-4-0 | 3 | CSE301; hours>=90
CSE492 | Graduation Project 2 (Computer Engineering) | مشروع التخرج (2) هندسة الحاسبات | 1-0-6-0 | 4 | CSE491
`

const ACCOUNTING = `
ACC101 | Principles of Financial Accounting 1 | أصول المحاسبة المالية (1) | 3-2-0-0 | 3 |
ACC102 | Principles of Financial Accounting 2 | أصول المحاسبة المالية (2) | 3-2-0-0 | 3 | ACC101
ACC201 | Accounting for Partnerships | محاسبة شركات الأشخاص | 3-2-0-0 | 3 | ACC101
ACC202 | Accounting for Corporations | محاسبة شركات الأموال | 3-2-0-0 | 3 | ACC102
ACC301 | Cost Accounting 1 | محاسبة التكاليف (1) | 3-2-0-0 | 3 | ACC102
ACC302 | Cost Accounting 2 | محاسبة التكاليف (2) | 3-2-0-0 | 3 | ACC301
ACC303 | Tax Accounting 1 | المحاسبة الضريبية (1) | 3-2-0-0 | 3 | ACC202
ACC304 | Auditing 1 | المراجعة (1) | 3-2-0-0 | 3 | ACC202
ACC305 | Accounting Information Systems | نظم المعلومات المحاسبية | 2-0-2-0 | 3 | ACC102
ACC306 | Managerial Accounting | المحاسبة الإدارية | 3-2-0-0 | 3 | ACC301
ACC307 | Governmental Accounting | المحاسبة الحكومية | 3-2-0-0 | 3 | ACC102
ACC308 | Tax Accounting 2 | المحاسبة الضريبية (2) | 3-2-0-0 | 3 | ACC303
ACC311 | Accounting Readings in English | قراءات محاسبية باللغة الإنجليزية | 2-1-0-0 | 3 |
ACC312 | Environmental and Social Accounting | المحاسبة البيئية والاجتماعية | 2-1-0-0 | 3 |
ACC313 | Accounting for Agricultural Enterprises | محاسبة المنشآت الزراعية | 2-1-0-0 | 3 |
ACC314 | Accounting for Petroleum Companies | محاسبة شركات البترول | 2-1-0-0 | 3 |
ACC401 | Advanced Financial Accounting | المحاسبة المالية المتقدمة | 3-2-0-0 | 3 | ACC202
ACC402 | International Financial Reporting Standards | المعايير الدولية للتقارير المالية | 3-2-0-0 | 3 | ACC401
ACC403 | Auditing 2 | المراجعة (2) | 3-2-0-0 | 3 | ACC304
ACC404 | Tax Practice Clinic | العيادة الضريبية التطبيقية | 1-0-0-4 | 3 | ACC308
ACC405 | Accounting for Financial Institutions | محاسبة المنشآت المالية | 3-2-0-0 | 3 | ACC202
ACC406 | Contemporary Issues in Accounting | مشكلات محاسبية معاصرة | 3-1-0-0 | 3 | level>=4
ACC407 | Accounting Theory | نظرية المحاسبة | 3-1-0-0 | 3 | ACC202
ACC408 | Financial Statement Analysis | تحليل القوائم المالية | 3-2-0-0 | 3 | ACC202
ACC409 | Computerized Auditing | المراجعة باستخدام الحاسب | 2-0-2-0 | 3 | ACC304
ACC410 | Forensic Accounting | المحاسبة الجنائية | 2-1-0-0 | 3 | level>=4
ACC411 | Hotel and Tourism Accounting | محاسبة الفنادق والمنشآت السياحية | 2-1-0-0 | 3 | level>=4
ACC492 | Graduation Project (Accounting) | مشروع التخرج في المحاسبة | 1-0-4-0 | 3 | level>=4
`

const BUSINESS = `
BUS101 | Principles of Management | مبادئ الإدارة | 3-1-0-0 | 3 |
BUS102 | Organizational Behavior | السلوك التنظيمي | 3-1-0-0 | 3 | BUS101
BUS103 | Business Law | القانون التجاري | 3-0-0-0 | 3 |
BUS201 | Marketing Management | إدارة التسويق | 3-1-0-0 | 3 | BUS101
BUS202 | Human Resource Management | إدارة الموارد البشرية | 3-1-0-0 | 3 | BUS101
BUS203 | Computer Applications in Business | تطبيقات الحاسب في الأعمال | 2-0-2-0 | 3 |
BUS204 | Production and Operations Management | إدارة الإنتاج والعمليات | 3-2-0-0 | 3 | BUS101
BUS301 | Financial Management | الإدارة المالية | 3-2-0-0 | 3 | ACC102
BUS302 | Marketing Research | بحوث التسويق | 3-1-0-0 | 3 | BUS201
BUS303 | Consumer Behavior | سلوك المستهلك | 3-1-0-0 | 3 | BUS201
BUS304 | Total Quality Management | إدارة الجودة الشاملة | 3-1-0-0 | 3 | BUS204
BUS305 | Supply Chain Management | إدارة سلاسل الإمداد | 3-1-0-0 | 3 | BUS204
BUS306 | International Business | إدارة الأعمال الدولية | 3-1-0-0 | 3 | BUS101
BUS307 | Management Information Systems | نظم المعلومات الإدارية | 2-0-2-0 | 3 | BUS203
BUS308 | Project Management | إدارة المشروعات | 3-1-0-0 | 3 | BUS101
BUS311 | Management Readings in English | قراءات إدارية باللغة الإنجليزية | 2-1-0-0 | 3 |
BUS312 | Public Relations | العلاقات العامة | 2-1-0-0 | 3 |
BUS313 | Service Marketing | تسويق الخدمات | 2-1-0-0 | 3 |
BUS314 | Hospital Management | إدارة المستشفيات | 2-1-0-0 | 3 |
BUS401 | Electronic Commerce | التجارة الإلكترونية | 2-0-2-0 | 3 | BUS203
BUS402 | Strategic Management | الإدارة الاستراتيجية | 3-1-0-0 | 3 | BUS101; level>=4
BUS403 | Investment and Financial Markets | الاستثمار والأسواق المالية | 3-2-0-0 | 3 | BUS301
BUS404 | Small Business Consulting Clinic | عيادة استشارات المشروعات الصغيرة | 1-0-0-4 | 3 | level>=4
BUS405 | Leadership and Change Management | القيادة وإدارة التغيير | 3-1-0-0 | 3 | BUS102
BUS406 | Bank Management | إدارة البنوك | 3-1-0-0 | 3 | BUS301
BUS407 | Organization Theory and Design | نظرية المنظمة وتصميمها | 3-1-0-0 | 3 | BUS102
BUS408 | Corporate Governance | حوكمة الشركات | 3-1-0-0 | 3 | level>=4
BUS410 | International Marketing | التسويق الدولي | 2-1-0-0 | 3 | BUS201
BUS411 | Digital Marketing | التسويق الرقمي | 2-1-0-0 | 3 | BUS201
BUS412 | Negotiation and Contracting | التفاوض والتعاقد | 2-1-0-0 | 3 |
BUS492 | Graduation Project (Business Administration) | مشروع التخرج في إدارة الأعمال | 1-0-4-0 | 3 | level>=4
`

const ECONOMICS = `
ECO101 | Microeconomics | الاقتصاد الجزئي | 3-1-0-0 | 3 |
ECO102 | Macroeconomics | الاقتصاد الكلي | 3-1-0-0 | 3 | ECO101
ECO201 | Money and Banking | النقود والبنوك | 3-1-0-0 | 3 | ECO102
ECO202 | Public Finance | المالية العامة | 3-1-0-0 | 3 | ECO101
ECO302 | Economic Feasibility Studies | دراسات الجدوى الاقتصادية | 3-2-0-0 | 3 | ECO101
`

const STATISTICS = `
STA101 | Business Mathematics | الرياضيات للأعمال | 3-2-0-0 | 3 |
STA102 | Principles of Statistics | مبادئ الإحصاء | 3-2-0-0 | 3 | STA101
STA201 | Applied Statistics | الإحصاء التطبيقي | 2-0-2-0 | 3 | STA102
STA202 | Principles of Risk and Insurance | مبادئ الخطر والتأمين | 3-1-0-0 | 3 |
STA301 | Quantitative Analysis in Business | التحليل الكمي في الأعمال | 3-2-0-0 | 3 | STA102
`

const HUMANITIES = `
UNV101 | English Language 1 | اللغة الإنجليزية (1) | 1-2-0-0 | 2 |
UNV102 | English Language 2 | اللغة الإنجليزية (2) | 1-2-0-0 | 2 | UNV101
UNV103 | Human Rights and Combating Corruption | حقوق الإنسان ومكافحة الفساد | 2-0-0-0 | 2 |
UNV104 | Scientific Thinking | التفكير العلمي | 2-0-0-0 | 1.5 |
UNV201 | Technical Writing | الكتابة الفنية | 2-0-0-0 | 2 | UNV102
UNV202 | Communication and Presentation Skills | مهارات الاتصال والعرض | 1-2-0-0 | 2.5 |
UNV203 | Environment and Sustainable Development | البيئة والتنمية المستدامة | 2-0-0-0 | 2 |
UNV204 | History of Egypt and Its Civilization | تاريخ مصر وحضارتها | 2-0-0-0 | 2 |
UNV205 | Introduction to Psychology | مقدمة في علم النفس | 2-0-0-0 | 2 |
UNV206 | Arabic Language and Literature | اللغة العربية وآدابها | 2-0-0-0 | 2 |
UNV301 | Entrepreneurship and Innovation | ريادة الأعمال والابتكار | 2-0-0-0 | 2 | level>=3
UNV302 | Professional Ethics | أخلاقيات المهنة | 2-0-0-0 | 2 | level>=3
`

/** Reads `A & (B / C>=D+)` into a tree; `&` binds tighter than `/`. */
export function parseRequisite(text: string): Requisite {
  const tokens = text.match(/[A-Z]{3}\d{3}(?:>=[A-F][+-]?)?|[&/()]/g) ?? []
  let at = 0
  const leaf = (): Requisite => {
    const token = tokens[at++]
    if (token === '(') {
      const inner = any()
      if (tokens[at++] !== ')') throw new Error(`Requisite lacks a closing bracket: ${text}`)
      return inner
    }
    const [course, min_grade] = (token ?? '').split('>=')
    if (!course || !/^[A-Z]{3}\d{3}$/.test(course)) throw new Error(`Requisite not understood: ${text}`)
    return min_grade ? { course, min_grade } : { course }
  }
  const chain = (separator: string, part: () => Requisite): Requisite[] => {
    const parts = [part()]
    while (tokens[at] === separator) {
      at++
      parts.push(part())
    }
    return parts
  }
  const all = (): Requisite => {
    const parts = chain('&', leaf)
    return parts.length > 1 ? { all: parts } : parts[0]!
  }
  const any = (): Requisite => {
    const parts = chain('/', all)
    return parts.length > 1 ? { any: parts } : parts[0]!
  }
  const tree = any()
  if (at !== tokens.length) throw new Error(`Requisite not understood: ${text}`)
  return tree
}

function parseCourses(department: string, text: string): CourseEntry[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [code, name, name_local, hours, credit, requisites] = line.split('|').map((cell) => cell.trim())
      const [lecture, tutorial, laboratory, clinical] = hours!.split('-').map(Number)
      const entry: CourseEntry = {
        code: code!,
        name: name!,
        name_local: name_local!,
        department,
        lecture_hours: lecture!,
        tutorial_hours: tutorial!,
        laboratory_hours: laboratory!,
        clinical_hours: clinical!,
        credit_hours: Number(credit),
        prerequisites: null,
        corequisites: [],
        min_passed_hours: 0,
        min_level: 0,
      }
      for (const part of (requisites ?? '').split(';').map((piece) => piece.trim())) {
        if (part === '') continue
        else if (part.startsWith('hours>=')) entry.min_passed_hours = Number(part.slice(7))
        else if (part.startsWith('level>=')) entry.min_level = Number(part.slice(7))
        else if (part.startsWith('with ')) entry.corequisites = part.slice(5).split(' ')
        else entry.prerequisites = parseRequisite(part)
      }
      return entry
    })
}

export const COURSES: CourseEntry[] = [
  ...parseCourses('BAS', BASIC_SCIENCES),
  ...parseCourses('CSC', COMPUTER_SCIENCE),
  ...parseCourses('AID', ARTIFICIAL_INTELLIGENCE),
  ...parseCourses('CSE', COMPUTER_ENGINEERING),
  ...parseCourses('ACC', ACCOUNTING),
  ...parseCourses('BUS', BUSINESS),
  ...parseCourses('ECO', ECONOMICS),
  ...parseCourses('STA', STATISTICS),
  ...parseCourses('HUM', HUMANITIES),
]
