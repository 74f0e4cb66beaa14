/* The table: joins the small modules of this folder. What they ask of the page (all of it works as plain forms without them):

   <body class="t" data-table="KEY">  and one <script type="module" src="js/table.js">
   {% include "games/htmx.html" %} in the head, {% include "games/words.html" %} at the end of the body: the words, the
   live regions (#live polite, #urgent assertive), #net (connection), #says (why an answer was refused), the help dialog.

   #ply             data-ply, data-mover (seat; empty when over), data-now (ms), data-asked ("1": the viewer is asked),
                    data-title (of the document), data-news (sentences for #live), data-sound (place take bid pass pay
                    dice penalty over, of the newest step), data-penalty, data-state (also copied to <body data-state>)
   .clock           data-seat, data-left (ms at data-now); the mover's runs. Without data-left it is only text.
   [data-here=seat] in the seats: gets data-away when a tick says that nobody is there
   [data-card=key]  a card that may travel; data-from="#id": where it starts if it was nowhere before
   form[data-answer=place|take|bid|pay|dice]  method=post action=/m/KEY/play, hidden ply; its answers are what it would
                    send as `move`: submit buttons, radios, checkboxes (in the order in which the log wants them)
       [data-key="1"]          pressed by that key ("p" for pass); a digit typed in a bid form picks that bid
       [data-confirm="…"]      a button (refuse) that asks once more: its words the second time
       [data-primary]          the button that ↵ presses; [data-label] in it is the text that changes with the choice
     bid:  data-own (what can be paid), radios name=move value="bid 5"; a number field [data-more] for what has no chip
           (its value makes "bid N"); [data-warn] holds the warning when the bid is more than one owns
     pay:  data-due, data-unit="gold|cards"; checkboxes name=move value="pay G3" data-worth="3" (dearest first, card
           list order); [data-meter] with <b> paid </b>, .bar progress or svg rect, .tag verdict
     dice: data-count="1|2"; checkboxes name=move value="dice M+" data-name="Monks" data-from="4" data-to="5";
           .pv in the same label shows the number
   form[data-say]   the chat: one text field; outside all swapped regions. #chat-lines, #log-lines stick to their end
   [data-sheet=moves|hand|chat|rules|""], [data-pane], .badge in the chat's button
   [data-sound-button], [data-keys-button], [data-theme-toggle]
*/
