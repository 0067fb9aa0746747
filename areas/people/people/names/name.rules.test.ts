import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  NAME_PARTS,
  joinName,
  namePartsIn,
  partBeside,
  partsAfter,
  partsProblem,
  realignParts,
  splitName,
  tidyPersonName,
} from './name.rules.ts'
import type { Parts } from './name.rules.ts'

const none: Parts = { given: null, father: null, grandfather: null, family: null }

describe('names of several words stay together', () => {
  test.each([
    ['عبد الله محمد أبو بكر الشناوي', ['عبد الله', 'محمد', 'أبو بكر', 'الشناوي']],
    ['نور الدين عبد الرحمن آل سعود', ['نور الدين', 'عبد الرحمن', 'آل سعود']],
    ['أم كلثوم إبراهيم', ['أم كلثوم', 'إبراهيم']],
    ['فتح الله سيف الإسلام', ['فتح الله', 'سيف الإسلام']],
    ['عبدالله حسن', ['عبدالله', 'حسن']],
    ['محمد بن سلمان', ['محمد', 'بن سلمان']],
    ['زين العابدين علي', ['زين العابدين', 'علي']],
  ])('%s', (full, names) => expect(namePartsIn(full, 'arabic')).toEqual(names))
  test.each([
    ['Abd El Rahman Mohamed Abu Bakr El Shennawy', ['Abd El Rahman', 'Mohamed', 'Abu Bakr', 'El Shennawy']],
    ['Nour El Din Ali', ['Nour El Din', 'Ali']],
    ['Seif Eldin Hassan', ['Seif Eldin', 'Hassan']],
    ['Islam Din Ali', ['Islam', 'Din', 'Ali']],
    ['Mona Adel', ['Mona', 'Adel']],
  ])('%s', (full, names) => expect(namePartsIn(full, 'latin')).toEqual(names))
})

describe('a proposal', () => {
  test('is given, father, grandfather and family, as many as there are', () => {
    expect(splitName('منى', 'arabic')).toEqual({ ...none, given: 'منى' })
    expect(splitName('منى عادل', 'arabic')).toEqual({ ...none, given: 'منى', family: 'عادل' })
    expect(splitName('منى عادل عبد الرحمن', 'arabic')).toEqual({
      ...none,
      given: 'منى',
      father: 'عادل',
      family: 'عبد الرحمن',
    })
    expect(splitName('A B C D E', 'latin')).toEqual({ given: 'A', father: 'B', grandfather: 'C', family: 'D E' })
  })

  const word = fc.constantFrom(
    'محمد',
    'عبد',
    'الله',
    'أبو',
    'بكر',
    'نور',
    'الدين',
    'El',
    'Abd',
    'Rahman',
    'Din',
    'Mona',
    'آل',
  )
  test('joined is the name again, whatever stands in it', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 9 }),
        fc.constantFrom('latin', 'arabic'),
        (words, script) => {
          const full = words.join('  ')
          expect(joinName(splitName(full, script as 'latin'))).toBe(tidyPersonName(full))
          expect(namePartsIn(full, script as 'latin').join(' ')).toBe(tidyPersonName(full))
        },
      ),
    )
  })
  const simple = fc.constantFrom('محمد', 'عادل', 'حسن', 'سلامة', 'عبد الله', 'نور الدين', 'أبو بكر')
  test('of parts that were joined is the parts', () => {
    fc.assert(
      fc.property(fc.array(simple, { minLength: 1, maxLength: 4 }), (names) => {
        const [given = null, father = null, grandfather = null, family = null] = names
        const parts: Parts =
          names.length === 4
            ? { given, father, grandfather, family }
            : names.length === 3
              ? { ...none, given, father, family: grandfather }
              : names.length === 2
                ? { ...none, given, family: father }
                : { ...none, given }
        expect(splitName(joinName(parts), 'arabic')).toEqual(parts)
      }),
    )
  })
})

describe('when the full name is written anew', () => {
  const parts: Parts = { given: 'Mona', father: 'Adel', grandfather: null, family: 'Abd El Rahman' }
  test('what still makes it remains, and the one part that changed follows', () => {
    expect(realignParts(parts, 'Mona  Adel Abd El Rahman')).toEqual(parts)
    expect(realignParts(parts, 'Mouna Adel Abd El Rahman')).toEqual({ ...parts, given: 'Mouna' })
    expect(realignParts(parts, 'Mona Adel El Rahman')).toEqual({ ...parts, family: 'El Rahman' })
  })
  test('where it can be read in two ways, or is another name, nothing is known', () => {
    expect(realignParts({ ...none, given: 'A', family: 'B' }, 'A X B')).toBeNull()
    expect(realignParts(parts, 'Mona Nabil Samir')).toBeNull()
    expect(realignParts(parts, 'Mona Adel')).toBeNull()
  })
  const name = fc.constantFrom('Ali', 'Omar', 'Hany', 'Samy', 'Nabil')
  test('parts that remain always make the name', () => {
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 5 }),
        (a, b) => {
          const known = Object.fromEntries(NAME_PARTS.map((part, i) => [part, a[i] ?? null])) as unknown as Parts
          const after = realignParts(known, b.join(' '))
          if (after) expect(joinName(after)).toBe(b.join(' '))
        },
      ),
    )
  })
})

test('a name needs the given name, and a grandfather the father', () => {
  expect(partsProblem({ ...none, family: 'A' })).toBe('given')
  expect(partsProblem({ ...none, given: 'A', grandfather: 'B' })).toBe('father')
  expect(partsProblem({ ...none, given: 'A' })).toBeNull()
})

describe('parts beside a full name', () => {
  const known: Parts = { given: 'Mona', father: 'Adel', grandfather: 'Samir', family: 'Salem' }
  test('are those written alone where they make it, else those that were known with them', () => {
    const { grandfather: _gone, ...short } = known
    expect(partsAfter(known, short, 'Mona  Adel Salem')).toEqual({ ...known, grandfather: null })
    expect(partsAfter(known, { family: 'Nabil' }, null)).toEqual({ ...known, family: 'Nabil' })
    expect(partsAfter(null, { family: 'Nabil' }, 'Mona Nabil')).toEqual({ ...none, family: 'Nabil' })
  })
  test.each([
    ['Mona Adel Samir Salem', null],
    ['Mona  Adel Samir Salem', null],
    ['Mona Adel Salem', 'grandfather'],
    ['Mona Adel Samir Salem Ali', 'family'],
    ['Mona Adel Samir Salema', 'family'],
    ['Mouna Adel Samir Salem', 'given'],
    ['', 'given'],
  ])('%s: the first that does not stand there is %s', (full, part) => expect(partBeside(known, full)).toBe(part))
})
