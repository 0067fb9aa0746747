import { publicationsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { publicationsOfDepartment } from '#areas/study/catalogue/outlets.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { doubleCalls } from './doubles/doubles.contract.ts'
import { researcherCalls } from './researcher/researcher.contract.ts'
import { rankedJournalCalls, rankedJournal } from './journals/journal.contract.ts'
import { referenceCalls } from './references/references.contract.ts'
import { syncCalls } from './sources/sync.contract.ts'
import { publication, publicationCalls, publicationFlow, publicationSteps } from './works/publication.contract.ts'

/** Publications: what members of the university publish, found, merged, listed and counted. */
export const publicationsArea = area({
  name: 'publications',
  label: ['Publications', 'المنشورات العلمية'],
  fills: [publicationsOfPerson, publicationsOfDepartment],
  resources: [publication, rankedJournal],
  calls: [
    listedCalls(publicationFlow as never, publicationSteps),
    publicationCalls,
    rankedJournalCalls,
    referenceCalls,
    syncCalls,
    doubleCalls,
    researcherCalls,
  ],
  screens: [
    screen('/my_researches/publications/import', {
      permission: 'add_publication',
      title: ['Import references', 'استيراد مراجع'],
      parent: '/my_researches/publications/list/:id?',
    }),
    screen('/my_researches/publications/doubles', {
      permission: 'access_publication',
      title: ['Possible doubles', 'تكرارات محتملة'],
      parent: '/my_researches/publications/list/:id?',
      menu: { group: 'research', order: 11, icon: 'copy', subject: 'publications' },
    }),
    screen('/my_researches/publications/counts', {
      permission: 'access_publication',
      title: ['Publications in figures', 'إحصاءات المنشورات'],
      parent: '/my_researches/publications/list/:id?',
      menu: {
        group: 'research',
        order: 12,
        icon: 'chart-bar',
        subject: 'publications',
        tab: ['In figures', 'إحصاءات'],
      },
    }),
    screen('/my_researches/page', {
      permission: 'edit_researcher',
      title: ['My researcher’s page', 'صفحتي البحثية'],
      menu: { group: 'research', order: 13, icon: 'id', subject: 'publications', tab: ['My page', 'صفحتي'] },
    }),
    screen('/researchers/:slug', {
      permission: 'public',
      title: ['Researcher', 'باحث'],
      layout: 'full',
      light: ['/research/{slug}'],
    }),
  ],
  errors: {
    publication_title: ['Give a title, in English or in Arabic.', 'أدخل عنوانًا بالإنجليزية أو بالعربية.'],
    publication_year_missing: ['Give the year in which it appeared.', 'أدخل سنة النشر.'],
    publication_year_ahead: ['The year is {year} at the latest.', 'السنة {year} على الأكثر.'],
    publication_members_missing: ['Name who made it.', 'أضف أعضاء العمل.'],
    publication_nobody_inside: [
      'Say which of its members belongs to the university.',
      'حدد من ينتمي إلى الجامعة من أعضاء العمل.',
    ],
    publication_corresponding_many: [
      'One member is the corresponding one, not {count}.',
      'المؤلف المراسل واحد، لا {count}.',
    ],
    publication_date: ['A day needs its month, and a month its year.', 'اليوم يلزمه شهر، والشهر تلزمه سنة.'],
    publication_day: ['The month has no such day.', 'لا يوجد هذا اليوم في الشهر.'],
    publication_doi: [
      'This is no DOI: it begins with 10. and has a slash.',
      'ليس معرف DOI صحيحًا، فهو يبدأ بـ 10. وفيه شرطة مائلة.',
    ],
    publication_issn: ['This is no ISSN: its check digit is wrong.', 'ليس رقم ISSN صحيحًا، فرقم التحقق لا يطابق.'],
    publication_isbn: ['This is no ISBN: its check digit is wrong.', 'ليس رقم ISBN صحيحًا، فرقم التحقق لا يطابق.'],
    publication_url: [
      'Give an address that begins with http:// or https://.',
      'أدخل رابطًا يبدأ بـ http:// أو https://.',
    ],
    publication_doi_twice: ['A publication with this DOI is there already.', 'يوجد منشور بهذا المعرف DOI بالفعل.'],
    publication_listed: ['What is listed has a year.', 'للمنشور المُدرج سنة نشر.'],
    publication_file: [
      'Say which version the file is, its licence and who may read it.',
      'حدد نسخة الملف ورخصته ومن يطلع عليه.',
    ],
    publication_merged: ['It was merged with another: open that one.', 'دُمج في منشور آخر، افتح ذلك المنشور.'],
    publication_member_twice: ['This person is a member already.', 'هذا الشخص من أعضاء العمل بالفعل.'],
    publication_member_position: [
      'The order was changed meanwhile: try again.',
      'تغير الترتيب في هذه الأثناء، أعد المحاولة.',
    ],
    publication_member_orcid: [
      'This is no ORCID iD: its check digit is wrong.',
      'ليس معرف ORCID صحيحًا، فرقم التحقق لا يطابق.',
    ],
    publication_member_name: [
      'Give a name, or choose a person of the university.',
      'أدخل اسمًا أو اختر شخصًا من الجامعة.',
    ],
    publication_members_full: ['A publication has at most {count} members.', 'لا يزيد أعضاء المنشور عن {count}.'],
    publication_claimed: ['{name} has said already that this is the own name.', 'سبق أن أكد {name} أن هذا الاسم له.'],
    publication_claim_name: [
      '“{name}” is not like your name: ask whoever looks after publications.',
      'الاسم «{name}» لا يشبه اسمك، راجع المسؤول عن المنشورات.',
    ],
    ranked_journal_twice: [
      'The list of this year has this journal already.',
      'الدورية موجودة في قائمة هذه السنة بالفعل.',
    ],
    journal_list_heads: [
      'No line of the file names a title, an ISSN and a quartile.',
      'لا يوجد في الملف صف يسمي العنوان ورقم ISSN والربع.',
    ],
    journal_title_missing: ['The title is missing.', 'العنوان غير موجود.'],
    journal_issn_wrong: ['There is no ISSN with a right check digit.', 'لا يوجد رقم ISSN صحيح.'],
    journal_quartile_missing: ['The quartile is missing.', 'الربع غير موجود.'],
    reference_title_missing: ['It has no title.', 'ليس له عنوان.'],
    reference_year_missing: ['It says no year: give it before you list the work.', 'لا يذكر سنة، أضفها قبل الإدراج.'],
    reference_members_missing: ['It names nobody who made it.', 'لا يذكر من أعده.'],
    reference_and_others: [
      'It names only some of those who made it (“and others”).',
      'لا يذكر إلا بعض من أعدوه («وآخرون»).',
    ],
    reference_number_kept: [
      '“{value}” is no {name}: it was kept as it is, beside the fields.',
      '«{value}» ليس {name} صحيحًا، وحُفظ كما هو خارج الحقول.',
    ],
    reference_date_kept: [
      'The date “{value}” says more than year, month and day: it was kept as it is.',
      'التاريخ «{value}» لا يُعبر عنه بسنة وشهر ويوم فقط، وحُفظ كما هو.',
    ],
    reference_broken: ['It could not be read: look at its braces and commas.', 'تعذرت قراءته، راجع الأقواس والفواصل.'],
    reference_equals_missing: ['After “{name}” the equals sign is missing.', 'علامة التساوي غير موجودة بعد «{name}».'],
    reference_quote_open: ['A quotation mark is not closed.', 'علامة تنصيص لم تُغلق.'],
    reference_brace_open: [
      'A brace is opened and not closed before the next entry.',
      'قوس فُتح ولم يُغلق قبل المدخل التالي.',
    ],
    reference_brace_missing: ['The brace after its kind is missing.', 'القوس بعد نوع المدخل غير موجود.'],
    reference_unexpected: ['Before “{said}” a comma or a brace is missing.', 'تنقص فاصلة أو قوس قبل «{said}».'],
    reference_json_broken: [
      'It is no valid JSON: look at its quotation marks, commas and braces.',
      'ليس JSON صحيحًا، راجع علامات التنصيص والفواصل والأقواس.',
    ],
    reference_command_kept: [
      'The command {command} is unknown: look at the text.',
      'الأمر {command} غير معروف، راجع النص.',
    ],
    reference_key_twice: ['The key {key} was used before in the file.', 'استُخدم المفتاح {key} من قبل في الملف.'],
    reference_crossref_missing: [
      'It takes from {key}, which is not in the file.',
      'يأخذ من {key} وهو غير موجود في الملف.',
    ],
    reference_end_missing: ['It is not ended (ER).', 'لم يُختم (ER).'],
    reference_line_unknown: ['The line belongs to no reference.', 'السطر لا يتبع أي مرجع.'],
    reference_repeats: ['It repeats the entry of line {line}.', 'يكرر المدخل الوارد في السطر {line}.'],
    reference_known: ['It is there already.', 'موجود بالفعل.'],
    reference_not_among_members: [
      'Your name was not found among those who made it: say which member you are, or remove it.',
      'لم يُعثر على اسمك بين أعضاء العمل، حدد أي عضو أنت أو احذفه.',
    ],
    reference_file_too_heavy: ['The file takes too long to read: divide it.', 'قراءة الملف تستغرق وقتًا طويلًا، قسّمه.'],
    reference_format_unknown: [
      'The file is no BibTeX, RIS or CSL-JSON, whatever its name says.',
      'الملف ليس BibTeX ولا RIS ولا CSL-JSON مهما كان اسمه.',
    ],
    reference_file_empty: ['There is no reference in the file.', 'لا توجد مراجع في الملف.'],
    reference_export_many: ['Take out at most {count} at once.', 'لا يزيد التصدير عن {count} في المرة.'],
    source_one: ['Give a DOI, or choose where to fetch from.', 'أدخل معرف DOI أو اختر جهة الجلب.'],
    source_not_set: ['{source} is not set up here.', 'لم يُهيأ الاتصال بـ {source} هنا.'],
    source_slow: ['{source} answers too slowly: try again later.', '{source} بطيء في الرد، حاول لاحقًا.'],
    source_too_often: ['{source} was asked too often: try again later.', 'كثرت الطلبات إلى {source}، حاول لاحقًا.'],
    source_down: ['{source} does not answer: try again later.', '{source} لا يرد، حاول لاحقًا.'],
    source_garbled: ['{source} answered with what cannot be read.', 'رد {source} بما لا يمكن قراءته.'],
    source_doi_unknown: [
      'Crossref does not know {doi}. Look for a slip, or type the publication in.',
      'لا يعرف Crossref المعرف {doi}. تحقق من كتابته أو أدخل المنشور يدويًا.',
    ],
    source_other_work: [
      'The answer to {doi} was about another work: nothing was taken.',
      'جاء الرد على {doi} عن عمل آخر، ولم يُجلب شيء.',
    ],
    source_known_to_others: [
      '“{title}” is there already, and your name is not among its members.',
      '«{title}» موجود بالفعل وليس اسمك بين أعضائه.',
    ],
    source_orcid_missing: [
      'Give your ORCID iD on your researcher’s page first.',
      'أضف معرف ORCID في صفحتك البحثية أولًا.',
    ],
    source_orcid_unknown: ['ORCID knows nobody with the iD {orcid}.', 'لا يعرف ORCID أحدًا بالمعرف {orcid}.'],
    source_orcid_other: ['The iD {orcid} is that of {name}, not yours.', 'المعرف {orcid} يخص {name} وليس لك.'],
    double_decided: ['Somebody has decided on this pair meanwhile.', 'بت شخص آخر في هذه الحالة في هذه الأثناء.'],
    double_of_others: [
      'One of both belongs to others: ask them, or whoever looks after publications.',
      'أحد المنشورين يخص آخرين، راجعهم أو راجع المسؤول عن المنشورات.',
    ],
    publication_double_twice: ['This pair is known already.', 'هذه الحالة معروفة بالفعل.'],
    researcher_orcid_taken: [
      'Somebody else of the university has given this iD.',
      'سبق أن سجل شخص آخر في الجامعة هذا المعرف.',
    ],
    researcher_openalex_taken: [
      'Somebody else of the university has given this ID.',
      'سبق أن سجل شخص آخر في الجامعة هذا المعرف.',
    ],
    researcher_opens_own: ['Only the person opens the page to everybody.', 'صاحب الصفحة وحده من يتيحها للجميع.'],
    researcher_slug_taken: ['Another page has this name: choose another.', 'تحمل صفحة أخرى هذا الاسم، اختر غيره.'],
    researcher_openalex: ['An OpenAlex ID is A and digits.', 'معرف OpenAlex هو الحرف A تليه أرقام.'],
    researcher_slug: ['Small Latin letters, digits and hyphens.', 'حروف لاتينية صغيرة وأرقام وشرطات.'],
    researcher_public: ['A public page needs a name in its address.', 'تحتاج الصفحة العامة إلى اسم في رابطها.'],
    publication_file_none: ['Choose a file.', 'اختر ملفًا.'],
  },
})
