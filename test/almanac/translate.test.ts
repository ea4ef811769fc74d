import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import german from '#almanac/ask/data/foreign/de.json' with { type: 'json' };
import spanish from '#almanac/ask/data/foreign/es.json' with { type: 'json' };
import french from '#almanac/ask/data/foreign/fr.json' with { type: 'json' };
import { type Dictionary, translate } from '#almanac/ask/translate.ts';

describe('questions of other languages, word by word', () => {
  const cases: [question: string, english: string][] = [
    // Umlauts as people type them.
    ['Wie prüfe ich das?', 'how check i the?'],
    ['Wie pruefe ich das?', 'how check i the?'],
    // Each language has its own words, and each word its accents.
    ['¿Qué bots respetan el robots.txt?', '¿what bots respect the robots.txt?'],
    // Pronouns that hang on a verb.
    ['¿Tengo que registrarme?', '¿must i register?'],
    // Words that lean on an apostrophe, and pronouns behind a hyphen.
    ["Existe-t-il encore Sora 2 dans l'API ?", 'does there exist still Sora 2 in API ?'],
    // A capital inside a sentence is that of a name, where nouns have none.
    ['Quelle est la licence de Mistral Large 3 ?', 'which is  licence of Mistral Large 3 ?'],
    // Hyphens join words, and leave names alone.
    ['Gilt das EU-Recht für Claude-User?', 'applies the EU law for Claude-User?'],
    // A sentence begins after a point and a greeting.
    ['Soy Ana. Quiero bloquear GPTBot', 'i am Ana. i want block GPTBot'],
    ['Hola, Quiero bloquear GPTBot', 'hello, i want block GPTBot'],
    ["Quelqu'un peut-il bloquer GPTBot ?", 'someone can block GPTBot ?'],
    // Without accents, and with nothing but a small word that tells the language.
    ['que es gptbot', 'that are gptbot'],
    // No dictionary has the compound, nor the verb with what hangs on it.
    ['Wo ist das Gästebuchformular?', 'where is the guestbook form?'],
    ['¿Puedo desbloquearlos?', '¿can i unblock?'],
  ];
  for (const [question, english] of cases) {
    it(question, () => {
      assert.deepEqual(translate(question), { text: english, isForeign: true });
    });
  }

  it('English stays as it is, also with a foreign word or a name of one', () => {
    const questions = [
      'most expensive modell',
      'Whose crawler is Le Chat?',
      'what did the court decide about Perplexity?',
      'What is Big Sur AI?',
      'Is there a crawler by El Corte Inglés?',
      'A request carries tag="agent-payer-auth". What is that from?',
    ];
    assert.deepEqual(
      questions.filter((question) => translate(question).isForeign),
      [],
    );
  });

  it('the words of names stay: next to another one or a number, and in their capitals', () => {
    const names = new Set(['gpt', 'luna', 'ans', 'mistral', 'large']);
    const textOf = (question: string): string => translate(question, names).text;
    assert.equal(textOf('cuanto cuesta gpt-6 luna'), 'how much does cost gpt-6 luna');
    assert.equal(textOf('combien coute mistral large 3'), 'how much costs mistral large 3');
    assert.equal(textOf('Was ist ANS?'), 'what is ANS?');
    assert.equal(textOf('¿Cuándo sale la luna?'), '¿when is released the moon?');
  });

  it('no word is in a dictionary twice', () => {
    for (const pairs of ([german, french, spanish] as Dictionary[]).flatMap(({ words, phrases }) => [words, phrases])) {
      const own = pairs.map((pair) => pair.slice(0, pair.indexOf('=')));
      assert.equal(own.filter((one) => one === '').length, 0);
      assert.equal(new Set(own).size, own.length);
    }
  });
});
