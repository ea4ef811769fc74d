import type { HtmlFacts, HtmlField } from '../html.ts';
import { attributeOf, type HtmlElement } from '../html-tree.ts';
import { type AccessibleNames, isField } from './controls.ts';
import { isOutOfSight, type WalkedPage } from './walk.ts';

/** Switches of the page itself, which send nothing anywhere. */
const switches = new Set(['checkbox', 'radio', 'range', 'color']);

const toField = (element: HtmlElement, names: AccessibleNames): HtmlField => ({
  tag: element.tagName as HtmlField['tag'],
  name: attributeOf(element, 'name') || null,
  type: element.tagName === 'input' ? (attributeOf(element, 'type') ?? 'text').toLowerCase() : element.tagName,
  required: attributeOf(element, 'required') !== null,
  labelled: names.isLabelled(element),
  toolParameter: attributeOf(element, 'toolparamdescription'),
});

/** The forms of a page, and the fields that belong to none. */
export function readForms(page: WalkedPage, names: AccessibleNames): Pick<HtmlFacts, 'forms' | 'looseFields'> {
  const fieldsByForm = new Map<HtmlElement, HtmlField[]>();
  const looseFields: HtmlField[] = [];
  for (const element of page.elements.filter(isField)) {
    const owner = attributeOf(element, 'form');
    const form = owner === null ? (page.around(element)?.form ?? undefined) : page.byId.get(owner);
    const field = toField(element, names);
    if (form !== undefined) {
      const fields = fieldsByForm.get(form) ?? [];
      fields.push(field);
      fieldsByForm.set(form, fields);
    } else if (!switches.has(field.type) && !isOutOfSight(page, element)) {
      looseFields.push(field);
    }
  }
  const withToken = new Set(
    page.elements
      .filter((element) => attributeOf(element, 'type')?.toLowerCase() === 'hidden' && attributeOf(element, 'value'))
      .map((element) => page.around(element)?.form),
  );
  const forms = page.all('form').map((form) => {
    const action = attributeOf(form, 'action')?.trim() || null;
    return {
      action: (action === null ? null : page.absolute(action)) ?? page.base,
      hasAction: action !== null && !action.startsWith('#'),
      hasToken: withToken.has(form),
      method: (attributeOf(form, 'method') ?? 'get').toLowerCase(),
      fields: fieldsByForm.get(form) ?? [],
      toolName: attributeOf(form, 'toolname'),
      toolDescription: attributeOf(form, 'tooldescription'),
    };
  });
  return { forms, looseFields };
}
