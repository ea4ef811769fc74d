/**
 * What a script adds to the frame of every page: the lamp that switches day and night, a button to copy each block of
 * code, the mark of the current section in the contents, answers in place, the keys that open the search, and the button
 * that turns them off. A page is whole without it.
 */

import { answerQuestions } from './ask.ts';
import { offerCopies } from './copy.ts';
import { lightLamp } from './lamp.ts';
import { openSearchOnKeys } from './search-keys.ts';
import { markSections } from './sections.ts';
import { offerKeySwitch } from './single-keys.ts';
import { rememberStack } from './stacks.ts';
import './views.ts';

lightLamp();
answerQuestions();
offerCopies(document);
markSections();
rememberStack();
openSearchOnKeys();
offerKeySwitch();
